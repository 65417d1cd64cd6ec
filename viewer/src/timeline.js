// The strip under the scene: contacts as marks, the part beyond trust shaded, the present time. A click goes there.
import { shown } from "./data.js";

const COLOURS = ["#c23b22", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

export class Timeline {
  constructor(canvas, tip, contacts, horizon, span, goto) {
    Object.assign(this, { canvas, tip, contacts, horizon, span, goto });
    const moment = (e) => this.span[0] + (e.offsetX / canvas.clientWidth) * (this.span[1] - this.span[0]);
    canvas.addEventListener("click", (e) => {
      const hit = this.nearest(moment(e));
      goto(hit ? hit.peak_time : moment(e), hit);
    });
    canvas.addEventListener("pointermove", (e) => this.hint(e, moment(e)));
    canvas.addEventListener("pointerleave", () => (tip.hidden = true));
  }

  /** The contact under the pointer, within five pixels. */
  nearest(t) {
    const far = (5 / this.canvas.clientWidth) * (this.span[1] - this.span[0]);
    let best = null;
    for (const c of this.contacts) {
      const away = Math.abs(c.t_on - t);
      if (away <= far && (!best || away < Math.abs(best.t_on - t))) best = c;
    }
    return best;
  }

  hint(e, t) {
    const hit = this.nearest(t);
    this.tip.hidden = !hit;
    if (!hit) return;
    const k = this.contacts.indexOf(hit) + 1;
    this.tip.textContent = `contact ${k}, ${hit.joint}: ${shown(hit.t_on, "s")}, ${shown(hit.speed_on, "m/s")}, peak ${shown(hit.peak_force, "N")}`;
    this.tip.style.left = `${Math.min(e.clientX, window.innerWidth - 260)}px`;
    this.tip.style.top = `${e.clientY - 34}px`;
  }

  show(t) {
    const { canvas, span } = this;
    const ratio = Math.min(window.devicePixelRatio, 2);
    const [w, h] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = w * ratio;
    canvas.height = h * ratio;
    const pen = canvas.getContext("2d");
    const ink = getComputedStyle(canvas);
    pen.scale(ratio, ratio);
    const x = (s) => ((s - span[0]) / (span[1] - span[0])) * w;
    if (this.horizon !== null && this.horizon < span[1]) {
      pen.fillStyle = ink.getPropertyValue("--doubt");
      pen.fillRect(x(this.horizon), 0, w, h);
      pen.fillStyle = ink.getPropertyValue("--ink");
      pen.font = "10px system-ui";
      pen.fillText("beyond trust: statistics only", x(this.horizon) + 5, 11);
    }
    const joints = [...new Set(this.contacts.map((c) => c.joint))];
    const top = Math.max(...this.contacts.map((c) => c.peak_force), 1e-300);
    for (const c of this.contacts) {
      pen.fillStyle = COLOURS[joints.indexOf(c.joint) % COLOURS.length];
      const off = c.t_off === null ? span[1] : c.t_off;
      pen.globalAlpha = 0.25;
      pen.fillRect(x(c.t_on), h - 6, Math.max(1, x(off) - x(c.t_on)), 6);
      pen.globalAlpha = 0.9;
      const tall = 4 + (h - 14) * Math.sqrt(Math.max(0, c.peak_force) / top);
      pen.fillRect(x(c.t_on) - 0.75, h - tall, 1.5, tall);
    }
    pen.globalAlpha = 1;
    pen.fillStyle = ink.getPropertyValue("--hot");
    pen.fillRect(x(t) - 1, 0, 2, h);
  }
}
