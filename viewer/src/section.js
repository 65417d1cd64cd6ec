// One point every turn, over many turns: a section of the motion. Two channels to choose.
import { brief, shown } from "./data.js";
import { labelled, make } from "./panel.js";

export class Section {
  constructor(live, scene) {
    this.channels = live.march.channels;
    const names = this.channels.map((c) => c.name);
    const [orbit] = Object.values(live.orbits);
    const moving = scene.shown.filter((n) => names.includes(n));
    const [x, y] = orbit ?? [moving[0], moving[1] ?? moving[0]];
    this.canvas = make("canvas", { className: "points" });
    this.caption = make("p", { className: "caption" });
    this.selects = [x, y].map((chosen, k) => {
      const select = make("select", { ariaLabel: k ? "up" : "to the right" });
      for (const name of names) select.add(new Option(name, name, false, name === chosen));
      select.onchange = () => this.draw();
      return select;
    });
    this.box = make("div", { className: "section" }, make("header", {}, labelled("up", this.selects[1]), labelled("right", this.selects[0])), this.canvas, this.caption);
    window.addEventListener("resize", () => this.draw());
  }

  /** The rows so far, one for each turn. */
  show(answer) {
    this.answer = answer;
    this.draw();
  }

  draw() {
    if (!this.answer || this.box.hidden) return;
    const { canvas, answer } = this;
    const { rows, count, turns, done } = answer;
    const width = this.channels.length;
    const chosen = this.selects.map((s) => this.channels.findIndex((c) => c.name === s.value));
    const columns = chosen.map((c) => Array.from({ length: count }, (_, i) => rows[i * width + c]));
    const ratio = Math.min(window.devicePixelRatio, 2);
    const [w, h] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = w * ratio;
    canvas.height = h * ratio;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const ink = getComputedStyle(canvas);
    const spans = columns.map((x) => {
      const [low, high] = [Math.min(...x), Math.max(...x)];
      const room = 0.06 * (high - low) || Math.abs(high) * 1e-3 || 1;
      return [low - room, high + room];
    });
    const [left, below] = [52, 22];
    const at = (i) => [
      left + ((w - left - 8) * (columns[0][i] - spans[0][0])) / (spans[0][1] - spans[0][0]),
      8 + (h - below - 8) * (1 - (columns[1][i] - spans[1][0]) / (spans[1][1] - spans[1][0])),
    ];
    pen.strokeStyle = ink.getPropertyValue("--line");
    pen.strokeRect(left, 8, w - left - 8, h - below - 8);
    pen.fillStyle = ink.getPropertyValue("--ink");
    pen.font = "11px system-ui";
    pen.textAlign = "left";
    pen.fillText(brief(spans[0][0]), left, h - 6);
    pen.textAlign = "right";
    pen.fillText(brief(spans[0][1]), w - 8, h - 6);
    pen.fillText(brief(spans[1][1]), left - 4, 17);
    pen.fillText(brief(spans[1][0]), left - 4, h - below);
    // the first turns are those in which it settles
    for (let i = 1; i < count; i++) {
      const [x, y] = at(i);
      pen.fillStyle = ink.getPropertyValue(i < count / 4 ? "--pale" : "--accent");
      pen.beginPath();
      pen.arc(x, y, 1.8, 0, 2 * Math.PI);
      pen.fill();
    }
    const latest = chosen.map((c, k) => shown(columns[k][count - 1], this.channels[c].unit));
    this.caption.textContent = `${count - 1} of ${turns} turns${done ? "" : " …"}, last at ${latest.join(", ")}`;
  }
}
