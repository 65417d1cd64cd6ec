// Curves over time with one cursor; a click goes there.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { at, brief, shown, thin } from "./data.js";

export class Plots {
  constructor(box, names, channels, ghosts, horizon, window_, goto) {
    Object.assign(this, { box, channels, ghosts, horizon, goto });
    this.window = window_; // [from, to] in s, shared by all
    this.full = [...window_];
    this.charts = [];
    for (const name of names) this.add(name);
  }

  add(name) {
    const holder = document.createElement("section");
    holder.className = "plot";
    const head = document.createElement("header");
    const select = document.createElement("select");
    select.ariaLabel = "channel";
    for (const known of this.channels.keys()) select.add(new Option(known, known, false, known === name));
    const value = document.createElement("output");
    const close = document.createElement("button");
    close.textContent = "×";
    close.title = "remove this plot";
    head.append(select, value, close);
    const place = document.createElement("div");
    place.className = "chart";
    holder.append(head, place);
    this.box.append(holder);
    const chart = { name, holder, place, value, plot: null };
    select.onchange = () => {
      chart.name = select.value;
      this.draw(chart);
      this.cursor(this.t);
    };
    close.onclick = () => {
      chart.plot?.destroy();
      holder.remove();
      this.charts = this.charts.filter((c) => c !== chart);
    };
    this.charts.push(chart);
    this.draw(chart);
  }

  /** Columns for uPlot: both runs on the union of their times. */
  columns(name, wide) {
    const [from, to] = this.window;
    const series = [this.channels.get(name), this.ghosts?.get(name)].filter(Boolean);
    const parts = series.map((s) => thin(s.t, s.x, from, to, wide));
    if (parts.length === 1) return [Array.from(parts[0][0]), Array.from(parts[0][1])];
    return uPlot.join(parts.map(([t, x]) => [Array.from(t), Array.from(x)]));
  }

  draw(chart) {
    chart.plot?.destroy();
    const ink = getComputedStyle(this.box);
    const colour = (name) => ink.getPropertyValue(name);
    const width = Math.max(200, chart.place.clientWidth);
    const axis = { stroke: colour("--ink"), grid: { stroke: colour("--line"), width: 0.6 }, ticks: { show: false }, font: "11px system-ui" };
    const lines = [{}, { stroke: colour("--accent"), width: 1.2, points: { show: false } }];
    const data = this.columns(chart.name, width);
    if (data.length > 2) lines.push({ stroke: colour("--pale"), width: 1, spanGaps: true, points: { show: false } });
    lines[1].spanGaps = true;
    chart.plot = new uPlot(
      {
        width, height: 120, series: lines, legend: { show: false },
        scales: { x: { time: false, range: () => this.window } },
        cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
        axes: [
          { ...axis, values: (_, ticks) => ticks.map((s) => shown(s, "s")), size: 28 },
          { ...axis, values: (_, ticks) => ticks.map(brief), size: 50, space: 22 },
        ],
        hooks: {
          setSelect: [(u) => this.zoom(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x"))],
          drawClear: [(u) => this.doubt(u, colour("--doubt"))],
          draw: [(u) => this.line(u, colour("--hot"))],
        },
      },
      data,
      chart.place,
    ); // prettier-ignore
    chart.plot.over.addEventListener("click", (e) => {
      if (chart.plot.select.width < 2) this.goto(chart.plot.posToVal(e.offsetX, "x"));
    });
    chart.plot.over.addEventListener("dblclick", () => this.zoom(...this.full));
  }

  zoom(from, to) {
    if (!(to - from > 1e-9 * (this.full[1] - this.full[0]))) return;
    this.window = [Math.max(from, this.full[0]), Math.min(to, this.full[1])];
    for (const chart of this.charts) this.draw(chart);
  }

  /** The part beyond trust. */
  doubt(u, colour) {
    if (this.horizon === null || this.horizon >= this.window[1]) return;
    const from = Math.max(u.bbox.left, u.valToPos(this.horizon, "x", true));
    u.ctx.save();
    u.ctx.fillStyle = colour;
    u.ctx.fillRect(from, u.bbox.top, u.bbox.left + u.bbox.width - from, u.bbox.height);
    u.ctx.restore();
  }

  line(u, colour) {
    const x = u.valToPos(this.t, "x", true);
    if (!(x >= u.bbox.left && x <= u.bbox.left + u.bbox.width)) return;
    u.ctx.save();
    u.ctx.strokeStyle = colour;
    u.ctx.lineWidth = 1.5;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  /** Other curves; a part that was zoomed into stays, as long as it is there. */
  replace(channels, ghosts, span) {
    const whole = this.window[0] === this.full[0] && this.window[1] === this.full[1];
    Object.assign(this, { channels, ghosts, horizon: null });
    this.full = [...span];
    if (whole || this.window[1] > span[1]) this.window = [...span];
    for (const chart of this.charts) chart.plot.setData(this.columns(chart.name, Math.max(200, chart.place.clientWidth)));
  }

  cursor(t) {
    this.t = t;
    for (const chart of this.charts) {
      const { t: times, x, unit } = this.channels.get(chart.name);
      chart.value.textContent = shown(at(times, x, t), unit);
      chart.plot.redraw(false, false);
    }
  }

  redraw() {
    for (const chart of this.charts) this.draw(chart);
  }
}

