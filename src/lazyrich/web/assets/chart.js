// One chart: train and test curves on logarithmic time, over the forecast. Its axes are drawn before training begins.
import { formatNumber } from "./sliders.js";

const COLORS = ["ink", "soft", "line", "card", "measured", "second", "theory", "previous"];
const HEIGHT = 340;
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

const MILESTONE_LABELS = {
  memorization: () => "memorized",
  generalization: (chart) => (chart.getsWorse ? "generalization lost" : "generalized"),
};

export class Chart {
  constructor(container) {
    this.container = container;
    this.preview = null;
    this.clear();
    this.previous = [];
    this.plot = null;
    new ResizeObserver(() => this.resize()).observe(container);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.build());
    new MutationObserver(() => this.build()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  /** Remove the curves; with `keep` they stay in gray as the previous run. */
  clear(keep = false) {
    if (keep && this.data && this.data[0].length > 1) this.previous = this.data;
    this.data = [[], [], []];
    this.milestones = {};
    this.top = 1.05;
    this.low = Infinity;
  }

  /** Accuracies of two classes are at least a half, mostly; the axis goes lower where a curve does. */
  get bottom() {
    const levels = ["early", "late"].map((name) => this.level(this.preview.forecast?.[name]) ?? 0);
    return this.preview.measure === "accuracy" && Math.min(this.low, ...levels) >= 0.5 ? 0.4 : 0;
  }

  /** Draw the axes and the forecast; `preview` is the response of /api/forecast. */
  setPreview(preview) {
    const isOther = !this.preview || this.preview.measure !== preview.measure;
    if (isOther) this.previous = [];
    this.preview = preview;
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
    if (this.preview.measure === "error" && highest > this.top) this.top = highest * 1.05;
    this.redraw();
  }

  addMilestone(name, time) {
    this.milestones[name] = time;
    this.redraw();
  }

  redraw() {
    if (!this.plot) return;
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      this.plot.setData(this.data);
    });
  }

  resize() {
    if (this.plot && this.container.clientWidth) this.plot.setSize({ width: this.container.clientWidth, height: HEIGHT });
  }

  build() {
    if (!this.preview || !this.container.clientWidth) return;
    const style = getComputedStyle(document.documentElement);
    this.colors = Object.fromEntries(COLORS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    const { soft, line, measured, second } = this.colors;
    const axis = { stroke: soft, font: FONT, labelFont: FONT, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 5 } };
    this.plot?.destroy();
    this.plot = new uPlot(
      {
        width: this.container.clientWidth,
        height: HEIGHT,
        padding: [14, 14, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, distr: 3, range: () => [this.preview.first_time, this.preview.last_time] },
          y: { range: () => [this.bottom, this.top] },
        },
        axes: [
          { ...axis, label: this.preview.time_label, labelSize: 20, size: 34, filter: decades, grid: { ...axis.grid, filter: decades }, values: (_, splits) => splits.map(powerOfTen) },
          { ...axis, label: this.preview.measure === "accuracy" ? "accuracy" : "relative error", labelSize: 20, size: 44 },
        ],
        series: [{}, { stroke: second, width: 2.2, points: { show: false } }, { stroke: measured, width: 2.6, points: { show: false } }],
        hooks: { drawAxes: [(u) => this.drawBelow(u)], draw: [(u) => this.drawAbove(u)] },
      },
      this.data,
      this.container,
    );
    this.container.setAttribute("aria-label", `Train and test ${this.preview.measure} over time`);
  }

  /** Below the curves: the forecast interval of the transition, and the curves of the previous run. */
  drawBelow(u) {
    const transition = this.preview.forecast?.switch;
    const { left, top, width, height } = u.bbox;
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(left, top, width, height);
    u.ctx.clip();
    if (transition) {
      const [low, high] = [transition.low, transition.high].map((t) => this.x(u, t));
      u.ctx.globalAlpha = 0.13;
      u.ctx.fillStyle = this.colors.theory;
      u.ctx.fillRect(low, top, Math.max(1, high - low), height);
      u.ctx.globalAlpha = 1;
    }
    if (this.previous.length) for (const values of [this.previous[1], this.previous[2]]) this.drawCurve(u, this.previous[0], values);
    u.ctx.restore();
  }

  /** Above the curves: the forecast, dashed, and the milestones with their names. */
  drawAbove(u) {
    u.ctx.save();
    u.ctx.lineWidth = 1.6 * devicePixelRatio;
    if (this.preview.forecast) this.drawForecast(u, this.preview.forecast);
    this.drawMilestones(u);
    u.ctx.restore();
  }

  drawForecast(u, forecast) {
    const { left, width, top, height } = u.bbox;
    const middle = forecast.switch ? this.x(u, forecast.switch.middle) : null;
    u.ctx.strokeStyle = u.ctx.fillStyle = this.colors.theory;
    const [early, late] = ["early", "late"].map((name) => this.level(forecast[name]));
    this.drawLevel(u, early, left, middle ?? left + width, "early", "left");
    if (middle !== null || late !== early) this.drawLevel(u, late, middle ?? left, left + width, "late", "right");
    if (middle !== null) {
      this.drawLine(u, [[middle, top], [middle, top + height]], [5, 4]);
      this.drawLabel(u, `transition ${formatNumber(forecast.switch.middle)}`, middle, top + height * 0.3, this.labelSide(u, middle));
    }
  }

  drawMilestones(u) {
    const { top, height } = u.bbox;
    const low = this.preview.measure === "error" ? 42 : 20; // above a late level near 0
    Object.entries(this.milestones).forEach(([name, time]) => {
      const x = this.x(u, time);
      const offset = name === "memorization" ? low : low + 18;
      u.ctx.strokeStyle = u.ctx.fillStyle = name === "memorization" ? this.colors.second : this.colors.measured;
      this.drawLine(u, [[x, top + height * 0.45], [x, top + height]], []);
      this.drawLabel(u, `${MILESTONE_LABELS[name](this)} ${formatNumber(time)}`, x, top + height - offset * devicePixelRatio, this.labelSide(u, x));
    });
  }

  /** Whether the late test error is forecast to be the larger one. */
  get getsWorse() {
    const forecast = this.preview.forecast;
    return forecast ? forecast.late.test_error > forecast.early.test_error : false;
  }

  /** A test error in the units of the chart. */
  level(known) {
    const error = known?.test_error;
    return error === null || error === undefined ? null : this.preview.measure === "accuracy" ? 1 - error : error;
  }

  x(u, time) {
    const { left, width } = u.bbox;
    return Math.min(left + width, Math.max(left, u.valToPos(time, "x", true)));
  }

  labelSide(u, x) {
    return x > u.bbox.left + u.bbox.width * 0.68 ? "right" : "left";
  }

  drawLevel(u, level, from, to, name, align) {
    if (level === null) return;
    const y = u.valToPos(Math.min(level, this.top), "y", true);
    this.drawLine(u, [[from, y], [to, y]], [7, 5]);
    const gap = y - u.valToPos(1, "y", true); // the label must not cover a training curve at 1
    const above = y - 18 * devicePixelRatio > u.bbox.top && !(gap > 2 * devicePixelRatio && gap < 24 * devicePixelRatio);
    this.drawLabel(u, `${name} ${formatNumber(level)}`, align === "left" ? from : to, above ? y - 17 * devicePixelRatio : y + 4 * devicePixelRatio, align);
  }

  drawLine(u, points, dash) {
    u.ctx.setLineDash(dash.map((part) => part * devicePixelRatio));
    u.ctx.beginPath();
    points.forEach(([x, y], i) => (i ? u.ctx.lineTo(x, y) : u.ctx.moveTo(x, y)));
    u.ctx.stroke();
    u.ctx.setLineDash([]);
  }

  drawCurve(u, times, values) {
    u.ctx.strokeStyle = this.colors.previous;
    u.ctx.lineWidth = 1.4 * devicePixelRatio;
    this.drawLine(u, times.map((t, i) => [u.valToPos(t, "x", true), u.valToPos(values[i], "y", true)]).filter(([, y]) => Number.isFinite(y)), []);
  }

  /** A label with a background, so that lines do not cross the text. */
  drawLabel(u, text, x, y, align) {
    const pixel = devicePixelRatio;
    u.ctx.font = FONT.replace("12px", `${12 * pixel}px`);
    u.ctx.textBaseline = "top";
    u.ctx.textAlign = "left";
    const width = u.ctx.measureText(text).width;
    const left = align === "left" ? x + 5 * pixel : x - width - 5 * pixel;
    const color = u.ctx.fillStyle;
    u.ctx.globalAlpha = 0.82;
    u.ctx.fillStyle = this.colors.card;
    u.ctx.fillRect(left - 2 * pixel, y - 1 * pixel, width + 4 * pixel, 15 * pixel);
    u.ctx.globalAlpha = 1;
    u.ctx.fillStyle = color;
    u.ctx.fillText(text, left, y);
  }
}

const isPower = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
const decades = (_, splits) => splits.map((value) => (isPower(value) ? value : null));

function powerOfTen(value) {
  if (value === null || !isPower(value)) return "";
  const exponent = Math.round(Math.log10(value));
  return exponent >= -2 && exponent <= 3 ? String(Number(value.toPrecision(1))) : `10${[...String(exponent)].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c] ?? "⁻").join("")}`;
}
