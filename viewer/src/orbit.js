// The journal's centre inside the clearance: a circle in the plane, a sphere in space that can be turned by hand.
import { before, shown } from "./data.js";

const PAST = 400; // points of the path behind the journal

export class Orbit {
  constructor(canvas, caption, joints, times) {
    Object.assign(this, { canvas, caption, joints, times });
    this.chosen = joints[0];
    this.turn = [0.6, 0.5];
    let from = null;
    canvas.addEventListener("pointerdown", (e) => (from = [e.clientX, e.clientY]));
    window.addEventListener("pointerup", () => (from = null));
    window.addEventListener("pointermove", (e) => {
      if (!from || this.chosen.orbit.length < 3) return;
      this.turn = [this.turn[0] + 0.01 * (e.clientX - from[0]), this.turn[1] + 0.01 * (e.clientY - from[1])];
      from = [e.clientX, e.clientY];
      this.show(this.t);
    });
  }

  /** Coordinates on the screen of an offset. */
  flatten(e) {
    if (e.length < 3) return [e[0], e[1]];
    const [a, b] = this.turn;
    const x = Math.cos(a) * e[0] + Math.sin(a) * e[1];
    const y = -Math.sin(a) * e[0] + Math.cos(a) * e[1];
    return [x, Math.cos(b) * e[2] + Math.sin(b) * y];
  }

  show(t) {
    if (!this.chosen) return;
    this.t = t;
    const { canvas, chosen } = this;
    const ratio = Math.min(window.devicePixelRatio, 2);
    const side = canvas.clientWidth;
    const high = canvas.clientHeight;
    canvas.width = side * ratio;
    canvas.height = high * ratio;
    const pen = canvas.getContext("2d");
    const ink = getComputedStyle(canvas);
    pen.scale(ratio, ratio);
    pen.translate(side / 2, high / 2);
    const parts = chosen.orbit;
    const reach = 1.12 * Math.max(chosen.gap, chosen.reach, 1e-12);
    const scale = Math.min(side, high) / 2 / reach;
    const point = (i) => {
      const [x, y] = this.flatten(parts.map((p) => p[i]));
      return [x * scale, -y * scale];
    };
    pen.strokeStyle = ink.getPropertyValue("--line");
    pen.setLineDash([4, 4]);
    pen.beginPath();
    pen.moveTo(-reach * scale, 0);
    pen.lineTo(reach * scale, 0);
    pen.moveTo(0, -reach * scale);
    pen.lineTo(0, reach * scale);
    pen.stroke();
    pen.setLineDash([]);
    if (chosen.gap > 0) {
      pen.strokeStyle = ink.getPropertyValue("--ink");
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(0, 0, chosen.gap * scale, 0, 2 * Math.PI);
      pen.stroke();
    }
    const now = before(this.times, t);
    const first = Math.max(0, now - PAST);
    pen.lineWidth = 1.2;
    pen.strokeStyle = ink.getPropertyValue("--accent");
    for (let i = first; i < now; i++) {
      pen.globalAlpha = 0.08 + (0.92 * (i - first)) / Math.max(1, now - first);
      pen.beginPath();
      pen.moveTo(...point(i));
      pen.lineTo(...point(i + 1));
      pen.stroke();
    }
    pen.globalAlpha = 1;
    pen.fillStyle = ink.getPropertyValue("--hot");
    pen.beginPath();
    pen.arc(...point(now), 4, 0, 2 * Math.PI);
    pen.fill();
    const away = Math.hypot(...parts.map((p) => p[now]));
    const depth = chosen.gap > 0 && away > chosen.gap ? `, ${shown(away - chosen.gap, "m")} into the wall` : "";
    this.caption.textContent = `offset ${shown(away, "m")}${chosen.gap > 0 ? ` of ${shown(chosen.gap, "m")}` : ""}${depth}`;
  }
}
