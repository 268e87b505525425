// One chart: train and test on logarithmic time, over what was forecast. Its axes stand before training begins.
import { short } from "./sliders.js";

const COLORS = ["ink", "soft", "line", "card", "measured", "second", "theory", "ghost"];
const HEIGHT = 340;
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

const WORDS = {
  memorization: () => "memorized",
  generalization: (chart) => (chart.worsens ? "generalization lost" : "generalized"),
};

export class Chart {
  constructor(place) {
    this.place = place;
    this.outlook = null;
    this.clear();
    this.ghost = [];
    this.plot = null;
    new ResizeObserver(() => this.fit()).observe(place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.build());
    new MutationObserver(() => this.build()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  /** Forget the curve; with `keep` it stays behind as a ghost. */
  clear(keep = false) {
    if (keep && this.data && this.data[0].length > 1) this.ghost = this.data;
    this.data = [[], [], []];
    this.marks = {};
    this.top = 1.05;
    this.low = Infinity;
  }

  /** Accuracies of two classes need no room below a half; the axis gives it when a curve goes there. */
  get bottom() {
    const levels = ["early", "late"].map((name) => this.level(this.outlook.forecast?.[name]) ?? 0);
    return this.outlook.measure === "accuracy" && Math.min(this.low, ...levels) >= 0.5 ? 0.4 : 0;
  }

  /** The times that will be looked at and what is forecast. */
  foretell(outlook) {
    const other = !this.outlook || this.outlook.measure !== outlook.measure;
    if (other) this.ghost = [];
    this.outlook = outlook;
    this.build();
  }

  add({ time, train, test }) {
    time.forEach((t, i) => {
      if (!(t > 0)) return; // a logarithmic axis has no zero
      this.data[0].push(t);
      this.data[1].push(train[i]);
      this.data[2].push(test[i]);
    });
    this.low = Math.min(this.low, ...test.filter(Number.isFinite), ...train.filter(Number.isFinite));
    const highest = Math.max(this.top, ...train.filter(Number.isFinite), ...test.filter(Number.isFinite));
    if (this.outlook.measure === "error" && highest > this.top) this.top = highest * 1.05;
    this.redraw();
  }

  mark(name, time) {
    this.marks[name] = time;
    this.redraw();
  }

  redraw() {
    if (!this.plot) return;
    if (this.due) return;
    this.due = requestAnimationFrame(() => {
      this.due = null;
      this.plot.setData(this.data);
    });
  }

  fit() {
    if (this.plot && this.place.clientWidth) this.plot.setSize({ width: this.place.clientWidth, height: HEIGHT });
  }

  build() {
    if (!this.outlook || !this.place.clientWidth) return;
    const style = getComputedStyle(document.documentElement);
    this.colors = Object.fromEntries(COLORS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    const { ink, soft, line, measured, second } = this.colors;
    const axis = { stroke: soft, font: FONT, labelFont: FONT, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 5 } };
    this.plot?.destroy();
    this.plot = new uPlot(
      {
        width: this.place.clientWidth,
        height: HEIGHT,
        padding: [14, 14, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, distr: 3, range: () => [this.outlook.first, this.outlook.last] },
          y: { range: () => [this.bottom, this.top] },
        },
        axes: [
          { ...axis, label: this.outlook.clock, labelSize: 20, size: 34, filter: decades, grid: { ...axis.grid, filter: decades }, values: (_, splits) => splits.map(power) },
          { ...axis, label: this.outlook.measure === "accuracy" ? "accuracy" : "relative error", labelSize: 20, size: 44 },
        ],
        series: [{}, { stroke: second, width: 2.2, points: { show: false } }, { stroke: measured, width: 2.6, points: { show: false } }],
        hooks: { drawAxes: [(u) => this.before(u)], draw: [(u) => this.after(u)] },
      },
      this.data,
      this.place,
    );
    this.place.setAttribute("aria-label", `Train and test ${this.outlook.measure} over time`);
  }

  /** Under the curves: the interval of the switch, the ghost of the run before. */
  before(u) {
    const said = this.outlook.forecast;
    const { left, top, width, height } = u.bbox;
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(left, top, width, height);
    u.ctx.clip();
    if (said?.switch) {
      const [low, high] = [said.switch.low, said.switch.high].map((t) => this.x(u, t));
      u.ctx.globalAlpha = 0.13;
      u.ctx.fillStyle = this.colors.theory;
      u.ctx.fillRect(low, top, Math.max(1, high - low), height);
      u.ctx.globalAlpha = 1;
    }
    if (this.ghost.length) for (const curve of [this.ghost[1], this.ghost[2]]) this.path(u, this.ghost[0], curve);
    u.ctx.restore();
  }

  /** Over the curves: levels and switch of the forecast, dashed; what has happened, with its name. */
  after(u) {
    const said = this.outlook.forecast;
    const { left, width, top, height } = u.bbox;
    const middle = said?.switch ? this.x(u, said.switch.middle) : null;
    u.ctx.save();
    u.ctx.lineWidth = 1.6 * devicePixelRatio;
    if (said) {
      u.ctx.strokeStyle = u.ctx.fillStyle = this.colors.theory;
      const [early, late] = ["early", "late"].map((name) => this.level(said[name]));
      this.rule(u, early, left, middle ?? left + width, "early", "left");
      if (middle !== null || late !== early) this.rule(u, late, middle ?? left, left + width, "late", "right");
      if (middle !== null) {
        this.stroke(u, [[middle, top], [middle, top + height]], [5, 4]);
        this.say(u, `switch ${short(said.switch.middle)}`, middle, top + height * 0.3, this.side(u, middle));
      }
    }
    const low = this.outlook.measure === "error" ? 42 : 20; // above a late level near 0
    Object.entries(this.marks).forEach(([name, time]) => {
      const at = this.x(u, time);
      u.ctx.strokeStyle = u.ctx.fillStyle = name === "memorization" ? this.colors.second : this.colors.measured;
      this.stroke(u, [[at, top + height * 0.45], [at, top + height]], []);
      this.say(u, `${WORDS[name](this)} ${short(time)}`, at, top + height - (name === "memorization" ? low : low + 18) * devicePixelRatio, this.side(u, at));
    });
    u.ctx.restore();
  }

  /** Whether the late answer was forecast to be the worse one. */
  get worsens() {
    const said = this.outlook.forecast;
    return said ? said.late.test_error > said.early.test_error : false;
  }

  level(told) {
    const error = told?.test_error;
    return error === null || error === undefined ? null : this.outlook.measure === "accuracy" ? 1 - error : error;
  }

  x(u, time) {
    const { left, width } = u.bbox;
    return Math.min(left + width, Math.max(left, u.valToPos(time, "x", true)));
  }

  side(u, at) {
    return at > u.bbox.left + u.bbox.width * 0.68 ? "right" : "left";
  }

  rule(u, level, from, to, name, align) {
    if (level === null) return;
    const y = u.valToPos(Math.min(level, this.top), "y", true);
    this.stroke(u, [[from, y], [to, y]], [7, 5]);
    const gap = y - u.valToPos(1, "y", true); // a training curve at 1 must not be written over
    const above = y - 18 * devicePixelRatio > u.bbox.top && !(gap > 2 * devicePixelRatio && gap < 24 * devicePixelRatio);
    this.say(u, `${name} ${short(level)}`, align === "left" ? from : to, above ? y - 17 * devicePixelRatio : y + 4 * devicePixelRatio, align);
  }

  stroke(u, points, dash) {
    u.ctx.setLineDash(dash.map((part) => part * devicePixelRatio));
    u.ctx.beginPath();
    points.forEach(([x, y], i) => (i ? u.ctx.lineTo(x, y) : u.ctx.moveTo(x, y)));
    u.ctx.stroke();
    u.ctx.setLineDash([]);
  }

  path(u, times, values) {
    u.ctx.strokeStyle = this.colors.ghost;
    u.ctx.lineWidth = 1.4 * devicePixelRatio;
    this.stroke(u, times.map((t, i) => [u.valToPos(t, "x", true), u.valToPos(values[i], "y", true)]).filter(([, y]) => Number.isFinite(y)), []);
  }

  /** A word on the chart, on a little ground of its own so that lines do not cross it. */
  say(u, text, x, y, align) {
    const pixel = devicePixelRatio;
    u.ctx.font = FONT.replace("12px", `${12 * pixel}px`);
    u.ctx.textBaseline = "top";
    u.ctx.textAlign = "left";
    const wide = u.ctx.measureText(text).width;
    const at = align === "left" ? x + 5 * pixel : x - wide - 5 * pixel;
    const color = u.ctx.fillStyle;
    u.ctx.globalAlpha = 0.82;
    u.ctx.fillStyle = this.colors.card;
    u.ctx.fillRect(at - 2 * pixel, y - 1 * pixel, wide + 4 * pixel, 15 * pixel);
    u.ctx.globalAlpha = 1;
    u.ctx.fillStyle = color;
    u.ctx.fillText(text, at, y);
  }
}

const isPower = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
const decades = (_, splits) => splits.map((value) => (isPower(value) ? value : null));

function power(value) {
  if (value === null || !isPower(value)) return "";
  const whole = Math.round(Math.log10(value));
  return whole >= -2 && whole <= 3 ? String(Number(value.toPrecision(1))) : `10${[...String(whole)].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c] ?? "⁻").join("")}`;
}
