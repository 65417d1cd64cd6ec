// Computes motions beside the page, so that it never freezes. Plain script: the page starts it from its text.
// A part is a module of WebAssembly with a block of memory, the image of a march that has not begun.
const PAGE = 65536;
const STACK = 262144;
const [DONE, , FULL, PAUSED] = [0, 1, 2, 3]; // how a visit of the time loop ends
const [TIME, CONTACT, KIND, , RATE, FORCE, FORCE_TIME] = [0, 1, 2, 3, 4, 5, 6]; // columns of an event
const BUDGET = 200; // steps of a visit
const MOST = 24000; // rows that are kept; of more every second one is left out
const POSES = 2000; // of them with poses
const AWAKE = 12; // ms of work between two looks for a message
const FIRST = 60; // ms until an unfinished motion is shown
const STALE = 150; // ms after which an unfinished motion gives way to newer values
const AGREE = 0.01; // of the play, to which a motion and one of less error are to agree
const COMPARED = 4000; // times at which they are compared

/** What each term of the polynomials counts at values of the knobs. */
function termShares(knobs, degrees, terms, values) {
  const angles = knobs.map(({ low, high, log }, k) => {
    const [x, a, b] = log ? [values[k], low, high].map(Math.log) : [values[k], low, high];
    return Math.acos(Math.min(1, Math.max(-1, (2 * x - a - b) / (b - a))));
  });
  return Float64Array.from({ length: terms }, (_, t) =>
    angles.reduce((product, angle, k) => product * Math.cos(degrees[t * knobs.length + k] * angle), 1),
  );
}

/** Numbers of a section {words, coefficients}. */
function evaluated({ words, coefficients }, shares) {
  const out = new Float64Array(words.length);
  for (let t = 0; t < shares.length; t++) for (let i = 0; i < out.length; i++) out[i] += shares[t] * coefficients[t * out.length + i];
  return out;
}

class Part {
  constructor(entry) {
    Object.assign(this, entry);
    this.base = Math.ceil((entry.constants + STACK) / 64) * 64;
    this.room = this.base + Math.ceil(entry.data.length / 64) * 64; // for channels
    const bytes = this.room + 8 * (entry.channels?.length ?? 0);
    this.memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
    const table = new WebAssembly.Table({ element: "anyfunc", initial: entry.names.length + 1 });
    const env = {
      __linear_memory: this.memory,
      __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, this.base),
      __indirect_function_table: table,
    };
    this.calls = new WebAssembly.Instance(new WebAssembly.Module(entry.code), { env }).exports;
    entry.names.forEach((name, k) => table.set(1 + k, this.calls[name]));
    this.real = new Float64Array(this.memory.buffer);
    this.whole = new BigInt64Array(this.memory.buffer);
  }

  at(place) {
    return (this.base + place) / 8;
  }

  /** The memory of a march that has not begun, for what the terms count; `twin`: with less error. */
  put(shares, twin = false) {
    const numbers = evaluated(this, shares);
    new Uint8Array(this.memory.buffer).set(this.data, this.base);
    for (const place of this.pointers) this.whole[this.at(place)] += BigInt(this.base);
    for (const [place, k] of this.functions) this.whole[this.at(place)] = BigInt(1 + k);
    this.words.forEach((word, i) => (this.real[this.at(0) + word] = numbers[i]));
    if (twin) {
      for (const [word, factor] of this.twin.factors) this.real[this.at(0) + word] *= factor;
      for (const [word, integer] of this.twin.integers) this.whole[this.at(0) + word] = BigInt(integer);
    }
    this.calls.system_prepare(0, 0, this.base + this.arrays.p, 0, this.base + this.derived);
    return numbers;
  }

  get(field) {
    return this.real[this.at(this.fields[field])];
  }

  set(field, value) {
    this.real[this.at(this.fields[field])] = value;
  }

  count(field) {
    return Number(this.whole[this.at(this.fields[field])]);
  }

  /** March on until the end; `visit` sees what is on the tape after every visit, and says whether to go on. */
  async march(visit) {
    this.calls.begin_march(this.base);
    let status = PAUSED;
    while (status === PAUSED || status === FULL) {
      this.whole[this.at(this.fields.budget)] = BigInt(BUDGET);
      status = Number(this.calls.march(this.base));
      const on = await visit(status === DONE);
      this.whole[this.at(this.fields.rows_recorded)] = 0n;
      this.whole[this.at(this.fields.events_recorded)] = 0n;
      if (!on) return false;
    }
    return status === DONE;
  }

  /** All channels of a row of the tape, where they lie in memory. */
  row(k) {
    const width = 1 + this.states + this.contact_memory;
    const row = this.base + this.arrays.tape + 8 * width * k;
    const t = this.real[row / 8];
    this.calls.system_channels(t, row + 8, this.base + this.arrays.p, row + 8 + 8 * this.states, this.room);
    return t;
  }
}

/** The rows of a motion. */
class Recording {
  constructor(part) {
    this.part = part;
    this.width = part.channels.length;
    this.times = new Float64Array(1024);
    this.rows = new Float64Array(1024 * this.width);
    this.count = 0;
    this.every = 1;
    this.seen = 0;
    this.largest = new Float64Array(this.width);
    this.events = [];
  }

  /** What is on the tape. */
  take() {
    const { part, width } = this;
    const from = part.room / 8;
    for (let k = 0; k < part.count("rows_recorded"); k++) {
      const t = part.row(k);
      for (let c = 0; c < width; c++) this.largest[c] = Math.max(this.largest[c], Math.abs(part.real[from + c]));
      if (this.seen++ % this.every) continue;
      if (this.count === this.times.length) this.grow();
      this.times[this.count] = t;
      this.rows.set(part.real.subarray(from, from + width), this.count * width);
      this.count++;
    }
    const length = part.header + part.states + part.contact_memory;
    for (let k = 0; k < part.count("events_recorded"); k++) {
      const event = part.at(part.arrays.events) + length * k;
      this.events.push(part.real.slice(event, event + part.header));
    }
  }

  grow() {
    const { width } = this;
    if (this.count >= MOST) {
      this.every *= 2;
      this.count = Math.ceil(this.count / 2);
      for (let i = 0; i < this.count; i++) {
        this.times[i] = this.times[2 * i];
        this.rows.copyWithin(i * width, 2 * i * width, (2 * i + 1) * width);
      }
      return;
    }
    const [times, rows] = [new Float64Array(2 * this.times.length), new Float64Array(2 * this.rows.length)];
    times.set(this.times);
    rows.set(this.rows);
    Object.assign(this, { times, rows });
  }

  /** A channel. */
  column(name) {
    const c = this.part.channels.findIndex((x) => x.name === name);
    return Float64Array.from({ length: this.count }, (_, i) => this.rows[i * this.width + c]);
  }

  /** Contacts as the page lists them; the last may not have ended. */
  contacts() {
    const { part } = this;
    const open = new Map();
    const found = [];
    for (const e of this.events) {
      const which = e[CONTACT];
      if (e[KIND] > 0) {
        const contact = { joint: part.joints[which], t_on: e[TIME], t_off: null, speed_on: e[RATE], peak_force: 0, peak_time: e[TIME] };
        open.set(which, contact);
        found.push(contact);
      } else if (open.has(which)) {
        Object.assign(open.get(which), { t_off: e[TIME], peak_force: e[FORCE], peak_time: e[FORCE_TIME] });
        open.delete(which);
      }
    }
    for (const [which, contact] of open) {
      contact.peak_force = part.real[part.at(part.arrays.peak_force) + which];
      contact.peak_time = part.real[part.at(part.arrays.peak_time) + which];
    }
    return found;
  }
}

/** Euler parameters p after those of a turn backwards. */
function turnedBack(p, [w, a, b, c]) {
  const [x, y, z] = [-a, -b, -c];
  return [
    p[0] * w - p[1] * x - p[2] * y - p[3] * z,
    p[0] * x + p[1] * w + p[2] * z - p[3] * y,
    p[0] * y - p[1] * z + p[2] * w + p[3] * x,
    p[0] * z + p[1] * y - p[2] * x + p[3] * w,
  ];
}

class Computer {
  constructor(live) {
    Object.assign(this, live);
    for (const name of ["march", "ideal", "play"]) this[name] = live[name] && new Part(live[name]);
    this.wanted = null;
    this.busy = false;
    this.channel = new MessageChannel();
    this.idealKey = null;
  }

  /** A moment in which messages come in. */
  pause() {
    return new Promise((done) => {
      this.channel.port1.onmessage = done;
      this.channel.port2.postMessage(0);
    });
  }

  ask(job) {
    this.wanted = job;
    if (!this.busy) this.work();
  }

  async work() {
    this.busy = true;
    while (this.wanted) {
      const job = this.wanted;
      this.wanted = null;
      try {
        this.shares = termShares(this.knobs, this.degrees, this.terms, job.values);
        await (job.kind === "section" ? this.section(job) : this.motion(job));
      } catch (error) {
        postMessage({ kind: "failed", id: job.id, reason: String(error) });
      }
    }
    this.busy = false;
  }

  /** Let messages in now and then; false where newer values are there. */
  async alive(patience) {
    const now = performance.now();
    if (now - this.slept < AWAKE) return true;
    await this.pause();
    this.slept = performance.now();
    return !this.wanted || this.slept - this.began < patience;
  }

  async motion(job) {
    this.began = this.slept = performance.now();
    const { march } = this;
    march.put(this.shares);
    const end = march.get("t_end");
    const recording = new Recording(march);
    const ideal = this.ideal ? await this.twin() : null;
    let next = FIRST;
    const whole = await march.march(async (last) => {
      recording.take();
      const spent = performance.now() - this.began;
      if (!last && spent > next && recording.count > 1) {
        next = 2.5 * spent;
        this.post(job, recording, end, ideal, false);
      }
      return this.alive(STALE);
    });
    const given = !whole && march.get("t") < end && this.wanted;
    if (recording.count > 1 && !given) this.post(job, recording, end, ideal, true, !whole);
    if (whole && !this.wanted) await this.trust(job, end);
  }

  /** The motion with ideal joints, where it is not the one that the page has. */
  async twin() {
    const key = this.ideal.put(this.shares).join();
    if (key === this.idealKey) return null;
    const recording = new Recording(this.ideal);
    const whole = await this.ideal.march(async () => {
      recording.take();
      return this.alive(Infinity);
    });
    if (!whole) return null;
    this.idealKey = key;
    return recording;
  }

  post(job, recording, end, ideal, done, stuck = false) {
    const sizes = Float64Array.from(this.march.sizes.base);
    evaluated(this.march.sizes, this.shares).forEach((x, i) => (sizes[this.march.sizes.words[i]] = x));
    const message = {
      kind: "motion", id: job.id, done, stuck, end, sizes, values: job.values,
      steps: this.march.count("steps"), rejected: this.march.count("rejected"), contacts: recording.contacts(),
      run: this.described(recording), ideal: ideal && this.described(ideal),
    }; // prettier-ignore
    message.ms = performance.now() - this.began;
    const buffers = [message.run, message.ideal].filter(Boolean).flatMap((r) => [r.times, r.columns, r.poseTimes, ...r.poses, ...(r.plays ?? [])]);
    postMessage(message, buffers.map((x) => x.buffer));
  }

  /** Columns of all channels one after the other, poses and their play. */
  described(recording) {
    const { count, width, rows } = recording;
    const columns = new Float64Array(count * width);
    for (let i = 0; i < count; i++) for (let c = 0; c < width; c++) columns[c * count + i] = rows[i * width + c];
    const step = Math.ceil(count / POSES);
    const kept = [...Array(Math.ceil((count - 1) / step)).keys()].map((k) => k * step).concat(count - 1);
    const place = new Map(recording.part.channels.map((c, k) => [c.name, k]));
    const each = this.poses.map(({ channels }) => channels.map((name) => place.get(name)));
    const poses = this.turned(kept.map((i) => each.map((cs) => cs.map((c) => rows[i * width + c]))));
    return {
      times: recording.times.slice(0, count), columns, count, largest: recording.largest,
      poseTimes: Float64Array.from(kept, (i) => recording.times[i]), poses,
      plays: recording.part === this.march && this.play ? this.turned(this.playing(recording, kept, each, place)) : null,
    }; // prettier-ignore
  }

  /** Of each body its poses, about its own axes. */
  turned(rows) {
    return this.poses.map(({ channels, turn }, body) => {
      const out = new Float32Array(rows.length * channels.length);
      rows.forEach((row, i) => {
        const pose = turn ? [...row[body].slice(0, 3), ...turnedBack(row[body].slice(3), turn)] : row[body];
        out.set(pose, i * channels.length);
      });
      return out;
    });
  }

  /** What parts each pose from the ideal mechanism at that time. */
  playing(recording, kept, each, place) {
    const { play } = this;
    play.put(this.shares);
    const [y, out] = [play.at(play.arrays.y), play.at(play.arrays.out)];
    const pointers = [play.arrays.y, play.arrays.p, play.arrays.m, play.arrays.out].map((at) => play.base + at);
    const n = play.positions;
    const { real } = play;
    return kept.map((i) => {
      const row = i * recording.width;
      const field = new Float64Array(n);
      each.flat().forEach((c, k) => (real[y + k] = recording.rows[row + c]));
      for (const [state, name] of play.driven) real[y + state] = recording.rows[row + place.get(name)];
      for (let round = 0; round < play.repeated; round++) {
        play.calls.system_project(recording.times[i], ...pointers);
        let [change, most] = [0, 0];
        for (let k = 0; k < n; k++) {
          field[k] -= real[out + k];
          real[y + k] += real[out + k];
          change = Math.max(change, Math.abs(real[out + k]));
          most = Math.max(most, Math.abs(field[k]));
        }
        if (change <= play.enough * most) break;
      }
      const width = each[0].length;
      return each.map((_, b) => Array.from(field.subarray(b * width, (b + 1) * width)));
    });
  }

  /** Until when the motion and one of less error agree in their play. */
  async trust(job, end) {
    const { march } = this;
    const names = march.sizes.channels;
    if (!names.length) return;
    const motions = [];
    for (const twin of [false, true]) {
      march.put(this.shares, twin);
      march.set("output_step", (end - march.get("t")) / COMPARED);
      const recording = new Recording(march);
      const whole = await march.march(async () => {
        recording.take();
        return this.alive(0);
      });
      if (!whole) return;
      motions.push(recording);
    }
    const sizes = Float64Array.from(march.sizes.base);
    evaluated(march.sizes, this.shares).forEach((x, i) => (sizes[march.sizes.words[i]] = x));
    const count = Math.min(...motions.map((r) => r.count));
    let first = count;
    names.forEach((name, k) => {
      const play = sizes[1 + march.sizes.joints.length + k];
      const [a, b] = motions.map((r) => r.column(name));
      for (let i = 0; i < first; i++) if (Math.abs(a[i] - b[i]) > AGREE * play) first = i;
    });
    postMessage({ kind: "horizon", id: job.id, horizon: first < count ? motions[0].times[first] : end });
  }

  /** One row every turn, over many turns. */
  async section(job) {
    this.began = this.slept = performance.now();
    const { march } = this;
    march.put(this.shares);
    const sizes = Float64Array.from(march.sizes.base);
    evaluated(march.sizes, this.shares).forEach((x, i) => (sizes[march.sizes.words[i]] = x));
    const [period] = sizes;
    march.set("output_step", period);
    march.set("t_end", this.turns * period);
    let recording = new Recording(march);
    let shown = this.began;
    const whole = await march.march(async (last) => {
      recording.take();
      recording.events = [];
      const now = performance.now();
      if (last || now - shown > 120) {
        shown = now;
        const rows = recording.rows.slice(0, recording.count * recording.width);
        postMessage({ kind: "section", id: job.id, rows, count: recording.count, turns: this.turns, done: last }, [rows.buffer]);
      }
      return this.alive(0);
    });
    if (!whole && !this.wanted) postMessage({ kind: "failed", id: job.id, reason: "the step became too small" });
  }
}

let computer = null;
onmessage = ({ data }) => {
  if (data.kind === "load") {
    try {
      computer = new Computer(data.live);
      postMessage({ kind: "ready" });
    } catch (error) {
      postMessage({ kind: "failed", id: 0, reason: String(error) });
    }
  } else computer.ask(data);
};
