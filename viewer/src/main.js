// The page: reads what it carries, builds the parts, keeps one present time for all of them.
import "./style.css";
import { decode, inflate, shown } from "./data.js";
import { Live } from "./live.js";
import { Motion } from "./motion.js";
import { Orbit } from "./orbit.js";
import { Plots } from "./plots.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";
import { panel } from "./panel.js";

function series(bytes, tape) {
  const shared = decode(bytes, tape.t);
  return new Map(
    tape.channels.map((c) => {
      const x = decode(bytes, c.x);
      const largest = Math.max(Math.abs(c.x.low ?? 0), Math.abs(c.x.high ?? 0));
      return [c.name, { ...c, t: c.t ? decode(bytes, c.t) : shared, x, largest }];
    }),
  );
}

/** The same of a motion that was computed here. */
function computed(run, channels) {
  return new Map(
    channels.map((c, k) => [c.name, { ...c, t: run.times, x: run.columns.subarray(k * run.count, (k + 1) * run.count), largest: run.largest[k] }]),
  );
}

class Viewer {
  constructor(parts, scene, bytes) {
    this.scene = scene;
    this.parts = parts;
    this.motion = new Motion(bytes, scene.tape, scene.planar);
    const ghost = scene.ghost ? new Motion(bytes, scene.ghost, scene.planar) : null;
    this.ghost = ghost;
    this.channels = series(bytes, scene.tape);
    const ghosts = scene.ghost ? series(bytes, scene.ghost) : null;
    this.ghosts = ghosts;
    this.span = [this.motion.start, this.motion.end];
    this.t = this.span[0];
    this.state = { magnify: scene.magnify, forces: false, ghost: ghost !== null, playing: false, slow: scene.slow };
    this.stage = new Stage(parts.stage, parts.tip, scene, this.motion, ghost, this.channels);
    const loose = scene.joints.filter((j) => scene.tape.offsets[j.name]).map((j) => {
      const orbit = scene.tape.offsets[j.name].map((ref) => decode(bytes, ref));
      return { ...j, orbit, reach: orbit[0].reduce((most, _, i) => Math.max(most, Math.hypot(...orbit.map((x) => x[i]))), 0) };
    });
    this.orbit = new Orbit(parts.orbit, parts.caption, loose, this.motion.times);
    const goto = (t) => this.seek(t);
    this.visible = false;
    this.timeline = new Timeline(parts.strip, parts.tip, scene.contacts, scene.horizon, this.span, goto);
    this.plots = new Plots(parts.plots, scene.shown.filter((n) => this.channels.has(n)), this.channels, ghosts, scene.horizon, [...this.span], goto);
    this.last = 0;
    this.cost = 0;
  }

  /** Show time t everywhere. */
  go(t) {
    this.t = Math.min(this.span[1], Math.max(this.span[0], t));
    const began = performance.now();
    this.stage.show(this.t, this.state);
    this.orbit.show(this.t);
    this.timeline.show(this.t);
    this.plots.cursor(this.t);
    this.parts.slider.value = String((1000 * (this.t - this.span[0])) / (this.span[1] - this.span[0]));
    const turns = this.scene.period ? `  ·  ${(this.t / this.scene.period).toFixed(3)} rev` : "";
    this.parts.clock.textContent = shown(this.t, "s") + turns;
    this.parts.factor(this.state.magnify);
    this.cost = performance.now() - began;
  }

  /** Another motion in the place of this one. */
  replace({ run, ideal, contacts, end, sizes }, live) {
    const { march, orbits } = live;
    const turned = this.scene.period ? (this.t - this.span[0]) / this.scene.period : 0;
    this.span = [run.times[0], end];
    if (this.scene.period) {
      this.t = this.span[0] + turned * sizes[0];
      this.scene.period = sizes[0];
    }
    march.sizes.joints.forEach((name, k) => (this.scene.joints.find((j) => j.name === name).gap = sizes[1 + k]));
    this.motion.replace(run.poseTimes, run.poses, run.plays);
    this.channels = computed(run, march.channels);
    if (ideal && this.ghost) {
      this.ghost.replace(ideal.poseTimes, ideal.poses, null);
      this.ghosts = computed(ideal, live.ideal.channels);
    }
    this.stage.replace(this.channels);
    for (const joint of this.orbit.joints) {
      joint.orbit = orbits[joint.name].map((name) => this.channels.get(name).x);
      joint.gap = this.scene.joints.find((j) => j.name === joint.name).gap;
      joint.reach = joint.orbit[0].reduce((most, _, i) => Math.max(most, Math.hypot(...joint.orbit.map((x) => x[i]))), 0);
    }
    this.orbit.times = run.times;
    this.scene.contacts = contacts;
    Object.assign(this.timeline, { contacts, horizon: null, span: this.span });
    this.plots.replace(this.channels, this.ghosts, this.span);
    this.go(this.t);
  }

  /** Until when single values say anything [s]. */
  trust(horizon) {
    this.timeline.horizon = this.plots.horizon = horizon;
    this.go(this.t);
  }

  /** Stay at a time that was chosen. */
  seek(t) {
    this.play(false);
    this.go(t);
  }

  set(changes) {
    Object.assign(this.state, changes);
    this.go(this.t);
  }

  play(on) {
    this.state.playing = on;
    this.parts.play.textContent = on ? "❚❚" : "▶";
    this.last = performance.now();
    this.schedule();
  }

  /** The next picture, while the page is in view. */
  schedule() {
    cancelAnimationFrame(this.next);
    if (this.state.playing && this.visible) this.next = requestAnimationFrame((now) => this.tick(now));
  }

  /** After the end from the beginning. */
  tick(now) {
    const t = this.t + Math.max(0, now - this.last) / 1000 / this.state.slow;
    this.last = now;
    this.go(this.t < this.span[1] ? t : this.span[0]);
    this.schedule();
  }

  /** Play while the page is seen. */
  watch(root) {
    new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting;
      this.last = performance.now();
      this.schedule();
    }).observe(root);
  }

  /** To the next contact, or the one before. */
  jump(way) {
    const little = 1e-9 * (this.span[1] - this.span[0]);
    const times = this.scene.contacts.map((c) => c.peak_time).filter(Number.isFinite).sort((a, b) => a - b);
    const next = way > 0 ? times.find((t) => t > this.t + little) : times.findLast((t) => t < this.t - little);
    this.seek(next ?? this.t);
    return next;
  }

  theme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.stage.theme(dark);
    this.plots.redraw();
    this.go(this.t);
  }
}

async function open() {
  const scene = JSON.parse(document.getElementById("gudgeon-scene").textContent);
  const bytes = await inflate(document.getElementById("gudgeon-numbers").textContent);
  const root = document.getElementById("gudgeon");
  const parts = panel(root, scene);
  const viewer = new Viewer(parts, scene, bytes);
  parts.wire(viewer);
  viewer.theme(window.matchMedia("(prefers-color-scheme: dark)").matches);
  viewer.stage.resize();
  viewer.stage.look(scene.planar ? "front" : "corner");
  viewer.go(scene.open);
  if (scene.live) viewer.live = new Live(root, scene, bytes, viewer);
  viewer.watch(root);
  viewer.play(!window.matchMedia("(prefers-reduced-motion: reduce)").matches);
  window.gudgeonViewer = viewer;
  document.documentElement.dataset.ready = "yes";
}

open();
