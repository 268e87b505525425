// The playground: forecasts the current settings, trains on a click, and keeps all settings in the URL.
import { Chart } from "./chart.js";
import { Pacer } from "./pacer.js";
import { createSliders, formatNumber } from "./sliders.js";
import { errorMessage, readStream } from "./stream.js";

const form = document.getElementById("playground");
const experiments = JSON.parse(form.dataset.experiments);
const $ = (id) => document.getElementById(id);

/** Text as a sentence. */
const asSentence = (text) => text && text[0].toUpperCase() + text.slice(1).replace(/([^.])$/, "$1.");

/** One of the two settings that can be compared: its sliders, its chart, and its training. */
class Side {
  constructor(name) {
    this.name = name;
    this.figure = form.querySelector(`figure[data-side=${name}]`);
    this.fieldset = form.querySelector(`fieldset[data-side=${name}]`);
    this.chart = new Chart(this.figure.querySelector(".chart"));
    this.trainedQuery = null;
  }

  setParams(params) {
    const container = this.fieldset.querySelector(".sliders");
    this.sliders = createSliders(container, params, this.name, (final) => settingsChanged(this, final));
    this.chart.previous = [];
  }

  setCell(name, text, kind = "") {
    const cell = this.figure.querySelector(`[data-cell=${name}]`);
    cell.textContent = name === "verdict" ? asSentence(text) : text;
    cell.dataset.kind = kind;
  }

  query() {
    return new URLSearchParams({ experiment: $("experiment").value, ...this.sliders.get(), seed });
  }

  /** Request the forecast of the current settings. */
  async updateForecast() {
    this.forecasting?.abort();
    this.forecasting = new AbortController();
    const { signal } = this.forecasting;
    this.figure.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => this.setCell("verdict", "forecasting"), 400);
    try {
      const response = await fetch(`/api/forecast?${this.query()}`, { signal });
      if (!response.ok) throw new Error(await errorMessage(response));
      this.preview = await response.json();
      this.chart.setPreview(this.preview);
      this.showForecast();
    } catch (error) {
      if (!signal.aborted) this.setCell("verdict", error.message, "bad");
    }
    clearTimeout(slow);
    if (!signal.aborted) this.figure.removeAttribute("aria-busy");
  }

  /** Show the forecast in numbers. */
  showForecast() {
    const { forecast } = this.preview;
    for (const name of ["early", "late"]) this.setCell(name, formatNumber(this.chart.level(forecast?.[name])));
    const time = forecast?.switch;
    const interval = time && `${formatNumber(time.middle)} (${formatNumber(time.low)}–${formatNumber(time.high)})`;
    this.setCell("transition", interval || (forecast ? "none" : "–"));
    if (!this.trainedQuery) this.setCell("verdict", forecast ? forecast.reason : this.preview.no_forecast_reason);
  }

  /** Stop the training and remove its curves; with `keep` they stay in gray. */
  reset(keep) {
    this.training?.abort();
    this.chart.clear(keep);
    form.classList.toggle("has-previous", Object.values(sides).some((side) => side.chart.previous.length));
    this.chart.redraw();
    this.trainedQuery = null;
    for (const name of ["measured-early", "measured-late", "measured-transition"]) this.setCell(name, "–");
    if (this.preview) this.showForecast();
  }

  /** Train with the current settings; resolves when the whole curve is shown. */
  async train() {
    const query = this.query();
    this.reset(true);
    this.training = new AbortController();
    const { signal } = this.training;
    await this.updateForecast();
    const pacer = new Pacer(signal);
    let result = null;
    let updates = 0;
    const handlers = {
      queue: ({ position }) => position && setStatus(`waiting, number ${position} in the queue`),
      state: ({ state }) => setStatus(state === "running" ? "training" : state),
      points: (chunk) => {
        updates += 1;
        this.figure.dataset.updates = updates;
        pacer.add(() => this.chart.add(chunk));
      },
      milestone: ({ name, time }) =>
        pacer.addToLast(() => {
          this.chart.addMilestone(name, time);
          if (name === "generalization") this.setCell("measured-transition", formatNumber(time));
        }),
      error: ({ message }) => (result = { ok: false, outcome: message }),
      done: (data) => (result = data),
    };
    await readStream(`/api/train?${query}`, handlers, { signal });
    await pacer.finish();
    if (signal.aborted || !result) throw new DOMException("", "AbortError");
    if (result.updates !== undefined && result.updates !== updates) result = { ok: false, outcome: "some updates were lost" };
    this.chart.milestones = result.milestones ?? {};
    this.chart.redraw();
    this.figure.dataset.outcome = result.ok ? "ok" : "bad";
    this.trainedQuery = result.updates === undefined ? null : query;
    this.showVerdict(result);
  }

  /** Compare the forecast with what was measured. */
  showVerdict({ ok, outcome, measured }) {
    if (!ok) return this.setCell("verdict", outcome, "bad");
    this.setCell("measured-early", formatNumber(this.chart.level({ test_error: measured.early })));
    this.setCell("measured-late", formatNumber(this.chart.level({ test_error: measured.late })));
    this.setCell("measured-transition", measured.time === null ? "none" : formatNumber(measured.time));
    const { forecast } = this.preview;
    if (!forecast) return this.setCell("verdict", this.preview.no_forecast_reason || "training finished");
    const time = forecast.switch;
    if (!time) return this.setCell("verdict", forecast.reason, measured.time === null ? "good" : "");
    const interval = `${formatNumber(time.low)} to ${formatNumber(time.high)}`;
    if (measured.time === null) return this.setCell("verdict", `The forecast is a transition at ${interval}, but none happened.`, "bad");
    const inside = time.low <= measured.time && measured.time <= time.high;
    const text = `The transition happened at ${formatNumber(measured.time)}, ${inside ? "inside" : "outside"} the forecast interval ${interval}.`;
    this.setCell("verdict", text, inside ? "good" : "bad");
  }
}

let seed = 0;
const sides = { a: new Side("a"), b: new Side("b") };
const activeSides = () => ($("compare").checked ? [sides.a, sides.b] : [sides.a]);
const setStatus = (text) => ($("status").textContent = text);

function setExperiment(name) {
  const experiment = experiments.find((one) => one.name === name) ?? experiments[0];
  $("experiment").value = experiment.name;
  for (const text of form.querySelectorAll(".description")) text.hidden = text.dataset.experiment !== experiment.name;
  for (const side of Object.values(sides)) {
    side.setParams(experiment.params);
    side.chart.preview = null;
    side.preview = null;
    side.reset(false);
  }
}

function setCompare(on) {
  $("compare").checked = on;
  sides.b.figure.hidden = sides.b.fieldset.hidden = !on;
  form.classList.toggle("two", on);
  sides.a.fieldset.querySelector("legend").textContent = on ? "First setting" : "Settings";
}

/** The URL of the view; `go` means that the link trains at once. */
function viewURL() {
  const query = sides.a.query();
  if ($("compare").checked) for (const [name, value] of Object.entries(sides.b.sliders.get())) query.set(`b.${name}`, value);
  if (sides.a.trainedQuery) query.set("go", 1);
  return `${location.pathname}?${query}`;
}

/** Put the settings into the URL and into the download links. */
function updateLinks() {
  history.replaceState(null, "", viewURL());
  const ready = activeSides().every((side) => side.trainedQuery);
  const query = new URLSearchParams(sides.a.trainedQuery ?? sides.a.query());
  if (ready && $("compare").checked) for (const [name, value] of sides.b.trainedQuery) if (name !== "experiment") query.set(`b.${name}`, value);
  for (const link of form.querySelectorAll(".downloads a")) {
    if (ready || link.dataset.kind === "py") {
      link.href = `/api/download/${link.dataset.kind}?${query}`;
      link.setAttribute("download", "");
      link.removeAttribute("aria-disabled");
    } else {
      link.removeAttribute("href");
      link.setAttribute("aria-disabled", "true");
    }
  }
}

/** Use another seed for the data and the initialization. */
function setSeed(number) {
  seed = Number.isFinite(number) ? Math.min(2 ** 32 - 1, Math.max(0, Math.round(number))) : seed;
  $("seed").value = seed;
  for (const side of Object.values(sides)) {
    if (activeSides().includes(side)) settingsChanged(side, true);
    else side.reset(false); // hidden, and of the old seed: its forecast is updated when it is shown
  }
  setStatus(`new seed: ${seed}`);
}

function settingsChanged(side, final) {
  if (side.trainedQuery || side.training) side.reset(true);
  clearTimeout(side.timer);
  side.timer = setTimeout(() => side.updateForecast(), final ? 0 : 120);
  updateLinks();
  if (final && $("auto").checked) train();
}

let attempts = 0;
async function train() {
  const attempt = ++attempts;
  $("stop").disabled = false;
  setStatus("starting");
  const before = performance.now();
  try {
    await Promise.all(activeSides().map((side) => side.train()));
    if (attempt === attempts) setStatus(`done in ${((performance.now() - before) / 1000).toFixed(1)} s`);
  } catch (error) {
    if (attempt === attempts) setStatus(error.name === "AbortError" ? "stopped" : error.message);
  }
  if (attempt !== attempts) return;
  $("stop").disabled = true;
  $("reset-run").disabled = false;
  updateLinks();
}

/** Set everything as the URL says. */
function readURL() {
  const query = new URLSearchParams(location.search);
  setExperiment(query.get("experiment"));
  seed = $("seed").valueAsNumber = Number(query.get("seed") ?? 0);
  const first = Object.fromEntries(query);
  sides.a.sliders.set(first);
  sides.b.sliders.set(first);
  const second = [...query].filter(([name]) => name.startsWith("b."));
  if (second.length) sides.b.sliders.set(Object.fromEntries(second.map(([name, value]) => [name.slice(2), value])));
  setCompare(second.length > 0);
  if (query.has("go")) train();
  else activeSides().forEach((side) => side.updateForecast());
  updateLinks();
}

$("experiment").append(...experiments.map(({ name, title }) => new Option(title, name)));
$("experiment").addEventListener("change", () => {
  setExperiment($("experiment").value);
  activeSides().forEach((side) => side.updateForecast());
  updateLinks();
});
$("compare").addEventListener("change", () => {
  setCompare($("compare").checked);
  if ($("compare").checked) sides.b.updateForecast();
  updateLinks();
});
$("new-seed").addEventListener("click", () => setSeed(seed + 1));
$("seed").addEventListener("change", () => setSeed($("seed").valueAsNumber));
$("reset-run").addEventListener("click", () => {
  activeSides().forEach((side) => side.reset(true));
  $("reset-run").disabled = true;
  setStatus("back at the initialization, with the same seed");
  updateLinks();
});
$("stop").addEventListener("click", () => activeSides().forEach((side) => side.training?.abort()));
$("copy-link").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(new URL(viewURL(), location));
    setStatus("the link is in the clipboard");
  } catch (_) {
    setStatus("the link is in the address bar");
  }
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  train();
});
readURL();
