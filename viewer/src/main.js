// The page: reads what it carries, builds the parts, keeps one present time for all of them.
import "./style.css";
import { decode, inflate, shown } from "./data.js";
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

class Viewer {
  constructor(parts, scene, bytes) {
    this.scene = scene;
    this.parts = parts;
    this.motion = new Motion(bytes, scene.tape, scene.planar);
    const ghost = scene.ghost ? new Motion(bytes, scene.ghost, scene.planar) : null;
    this.channels = series(bytes, scene.tape);
    const ghosts = scene.ghost ? series(bytes, scene.ghost) : null;
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
  viewer.watch(root);
  viewer.play(!window.matchMedia("(prefers-reduced-motion: reduce)").matches);
  window.gudgeonViewer = viewer;
  document.documentElement.dataset.ready = "yes";
}

open();
