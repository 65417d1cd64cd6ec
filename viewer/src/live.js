// Sliders that change the mechanism, and what was computed with them beside the first run and the ideal mechanism.
import source from "./worker.js?raw";
import { PREFIXED, brief, decode, printed, shown } from "./data.js";
import { labelled, make } from "./panel.js";
import { Section } from "./section.js";

const STEPS = 1000; // of a slider

/** A description with every reference to packed numbers replaced by its array. */
function unpacked(bytes, value) {
  if (Array.isArray(value)) return value.map((x) => unpacked(bytes, x));
  if (value === null || typeof value !== "object") return value;
  if ("at" in value && "kind" in value) return decode(bytes, value);
  return Object.fromEntries(Object.entries(value).map(([key, x]) => [key, unpacked(bytes, x)]));
}

/** A worker from its text, so that a page from a disk can start it; null where there is none, or no WebAssembly. */
function started() {
  try {
    if (typeof WebAssembly !== "object") return null;
    return new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  } catch {
    return null;
  }
}

/** A path in words. */
const named = (path) => path.replaceAll(".", " ").replaceAll("_", " ").replace("radial clearance", "clearance");

/** A value of a slider as people read it. */
const told = (value, unit) => (unit === "rad/s" ? `${+((value * 30) / Math.PI).toPrecision(4)} rpm` : shown(value, unit || "1"));

export class Live {
  constructor(root, scene, bytes, viewer) {
    Object.assign(this, { root, scene, viewer });
    this.live = unpacked(bytes, scene.live);
    this.first = null; // the peaks of the motion that the page came with
    this.peaks = null;
    this.ideal = null;
    this.id = 0;
    this.waiting = null; // the last motion that is not drawn yet
    this.status = make("p", { className: "status", ariaLive: "polite" });
    this.table = make("table", { className: "peaks" });
    this.sliders = this.live.knobs.map((knob, k) => this.slider(knob, k));
    this.reset = make("button", { textContent: "reset", title: "the values of the model" });
    this.link = make("button", { textContent: "copy link", title: "the address of this page with these values" });
    this.many = make("button", { textContent: "after many turns", ariaPressed: "false", title: "one point every turn" });
    this.section = new Section(this.live, scene);
    this.box = make("section", { className: "live" }, make("header", {}, make("h2", { textContent: "change the mechanism" }), this.reset, this.link),
      ...this.sliders.map((s) => s.row), this.status, this.table); // prettier-ignore
    if (this.live.march.sizes.base[0] > 0) this.box.append(this.many, this.section.box);
    this.section.box.hidden = true;
    root.querySelector("aside").prepend(this.box);
    this.reset.onclick = () => this.go(this.live.knobs.map((k) => k.value));
    this.link.onclick = () => this.copy();
    this.many.onclick = () => this.toggle();
    this.worker = started();
    if (!this.worker) {
      this.refuse("This browser cannot compute (it has no WebAssembly): the page shows the recorded run.");
      return;
    }
    this.worker.onmessage = ({ data }) => (data.kind === "section" ? this.section.show(data) : this[data.kind](data));
    this.worker.onerror = (e) => this.refuse(`This browser cannot compute (${e.message || "no worker"}): the page shows the recorded run.`);
    this.worker.postMessage({ kind: "load", live: this.live });
  }

  slider(knob, k) {
    const there = (value) => (knob.log ? Math.log(value / knob.low) / Math.log(knob.high / knob.low) : (value - knob.low) / (knob.high - knob.low));
    const back = (s) => (knob.log ? knob.low * (knob.high / knob.low) ** s : knob.low + s * (knob.high - knob.low));
    const input = make("input", { type: "range", min: 0, max: STEPS, step: "any", ariaLabel: knob.path });
    const output = make("output");
    const label = labelled(named(knob.path), input, output);
    label.title = `${knob.path}: ${told(knob.low, knob.unit)} to ${told(knob.high, knob.unit)}; the model has ${told(knob.value, knob.unit)}`;
    label.className = "knob";
    const own = { knob, row: label, input, value: knob.value };
    own.show = (value) => {
      own.value = Math.min(knob.high, Math.max(knob.low, value));
      input.value = String(STEPS * there(own.value));
      output.textContent = told(own.value, knob.unit);
    };
    input.oninput = () => {
      // where the model stands, exactly
      const s = Number(input.value) / STEPS;
      own.value = Math.abs(s - there(knob.value)) < 0.002 ? knob.value : back(s);
      output.textContent = told(own.value, knob.unit);
      this.compute();
    };
    own.show(knob.value);
    return own;
  }

  get values() {
    return this.sliders.map((s) => s.value);
  }

  /** Other values, on the sliders too. */
  go(values) {
    values.forEach((value, k) => this.sliders[k].show(value));
    this.compute();
  }

  compute() {
    this.moved = performance.now();
    this.remember();
    this.worker?.postMessage({ kind: "motion", id: ++this.id, values: this.values });
    this.box.dataset.computing = "yes";
  }

  refuse(reason) {
    this.worker = null;
    this.status.textContent = reason;
    for (const s of this.sliders) s.input.disabled = true;
    for (const b of [this.reset, this.link, this.many]) b.disabled = true;
    document.documentElement.dataset.live = "no";
  }

  // -- what the worker says -----------------------------------------------------------------------------------

  ready() {
    document.documentElement.dataset.live = "yes";
    const values = this.linked();
    if (values) this.go(values);
    else this.compute();
  }

  failed({ id, reason }) {
    if (id === 0) this.refuse(`This browser cannot compute (${reason}): the page shows the recorded run.`);
    else this.status.textContent = `no motion for these values: ${reason}`;
  }

  /** Motions that come faster than they are drawn give way to the last of them. */
  motion(answer) {
    const ideal = answer.ideal ?? this.waiting?.ideal;
    if (!this.waiting) setTimeout(() => this.draw(), 0);
    this.waiting = { ...answer, ideal };
  }

  draw() {
    const answer = this.waiting;
    this.waiting = null;
    this.latency = performance.now() - this.moved;
    if (answer.ideal) this.ideal = answer.ideal;
    this.peaks = this.largest(answer.run, answer.contacts);
    this.first ??= this.atStart(answer) && answer.done ? this.peaks : null;
    this.answer = answer;
    this.viewer.replace(answer, this.live);
    if (answer.horizon !== undefined) this.viewer.trust(answer.horizon);
    this.show(answer);
    if (!answer.done) return;
    if (answer.id === this.id) delete this.box.dataset.computing;
    if (!this.section.box.hidden && answer.id === this.id) this.turns();
  }

  horizon({ id, horizon }) {
    if (id !== this.id) return;
    if (this.waiting) {
      this.waiting.horizon = horizon; // of a motion that is not drawn yet
      return;
    }
    if (!this.answer) return;
    this.answer.horizon = horizon;
    this.viewer.trust(horizon);
    this.show(this.answer);
  }

  // -- the table ----------------------------------------------------------------------------------------------

  atStart({ values }) {
    return values.every((x, k) => x === this.live.knobs[k].value);
  }

  /** The largest of what is compared: plotted channels, forces of contacts. */
  largest(run, contacts) {
    const { march } = this.live;
    const peaks = new Map();
    march.channels.forEach((c, k) => peaks.set(c.name, { value: run.largest[k], unit: c.unit }));
    for (const joint of new Set(march.joints)) {
      const own = contacts.filter((c) => c.joint === joint);
      peaks.set(`contacts in ${joint}`, { value: own.length, unit: "1" });
    }
    return peaks;
  }

  show({ steps, ms, done, stuck, end, horizon, run }) {
    const now = run.times[run.count - 1];
    const trusted = horizon === undefined ? "" : horizon < end ? ` · single values to ${shown(horizon, "s")}, then statistics` : " · predictable to the end";
    this.status.textContent = stuck ? `the motion cannot go on after ${shown(now, "s")}: the step became too small`
      : done ? `${steps} steps in ${Math.round(ms)} ms${trusted}` : `${Math.round((100 * now) / end)} % computed`; // prettier-ignore
    const { scene, live } = this;
    const forces = live.march.channels.map((c) => c.name).filter((n) => n.endsWith(".force") || n.endsWith(".normal"));
    const loose = forces.filter((n) => live.march.joints.some((j) => n.startsWith(`${j}.`)));
    const names = [...new Set([...scene.shown, ...(loose.some((n) => n.endsWith(".force")) ? loose.filter((n) => n.endsWith(".force")) : loose)])];
    const ideals = new Map((this.ideal ? live.ideal.channels : []).map((c, k) => [c.name, this.ideal.largest[k]]));
    const rows = [...names.map((n) => [n, `|${n}|`]), ...[...this.peaks.keys()].filter((n) => n.startsWith("contacts in ")).map((n) => [n, n])];
    const text = (x, unit) => (unit === "1" ? String(+x.toPrecision(4)) : Math.abs(x) < 1e5 || PREFIXED.includes(unit) ? shown(x, unit) : `${brief(x)} ${printed(unit)}`);
    const cell = (x, unit) => make("td", { textContent: x === undefined ? "–" : text(x, unit) });
    const head = ["largest", "now", "first run", ...(this.ideal ? ["ideal"] : [])].map((text) => make("th", { textContent: text }));
    const body = rows.filter(([n]) => this.peaks.has(n)).map(([n, text]) => {
      const { value, unit } = this.peaks.get(n);
      return make("tr", {}, make("th", { textContent: text }), cell(value, unit), cell(this.first?.get(n)?.value, unit),
        ...(this.ideal ? [cell(ideals.get(n), unit)] : [])); // prettier-ignore
    });
    this.table.replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
  }

  // -- many turns ---------------------------------------------------------------------------------------------

  toggle() {
    const open = this.section.box.hidden;
    this.section.box.hidden = !open;
    this.many.ariaPressed = String(open);
    if (open) this.turns();
    else this.compute();
  }

  turns() {
    this.worker?.postMessage({ kind: "section", id: this.id, values: this.values });
  }

  // -- the address --------------------------------------------------------------------------------------------

  /** Values that differ from the model's, behind # in the address. */
  get fragment() {
    const other = this.sliders.filter((s) => s.value !== s.knob.value);
    return other.map((s) => `${encodeURIComponent(s.knob.path)}=${s.value}`).join("&");
  }

  remember() {
    try {
      window.history.replaceState(null, "", this.fragment ? `#${this.fragment}` : window.location.pathname + window.location.search);
    } catch {
      // a page inside another has no address of its own
    }
  }

  /** Values that the address gives; null where it gives none. */
  linked() {
    const given = new URLSearchParams(window.location.hash.slice(1));
    const values = this.live.knobs.map((k) => (given.has(k.path) ? Number(given.get(k.path)) : k.value));
    const known = this.live.knobs.some((k) => given.has(k.path)) && values.every(Number.isFinite);
    return known ? values : null;
  }

  async copy() {
    const text = `${window.location.href.split("#")[0]}#${this.fragment}`;
    try {
      await navigator.clipboard.writeText(text);
      this.link.textContent = "copied";
    } catch {
      window.prompt("the address of this page with these values", text);
    }
    setTimeout(() => (this.link.textContent = "copy link"), 1500);
  }
}

