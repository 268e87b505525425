// The playground: settings to a forecast, a click to a training, and all of it in the address of the page.
import { Chart } from "./chart.js";
import { short, sliders } from "./sliders.js";
import { follow, message } from "./stream.js";

const form = document.getElementById("playground");
const experiments = JSON.parse(form.dataset.experiments);
const $ = (id) => document.getElementById(id);
const SHOWN = 34; // milliseconds between two pieces of a curve: a run of a tenth of a second could not be seen
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Words as a sentence. */
const sentence = (words) => words && words[0].toUpperCase() + words.slice(1).replace(/([^.])$/, "$1.");

class Side {
  constructor(name) {
    this.name = name;
    this.figure = form.querySelector(`figure[data-side=${name}]`);
    this.fieldset = form.querySelector(`fieldset[data-side=${name}]`);
    this.chart = new Chart(this.figure.querySelector(".chart"));
    this.trained = null;
  }

  fill(params) {
    this.sliders = sliders(this.fieldset.querySelector(".sliders"), params, this.name, (final) => changed(this, final));
    this.chart.ghost = [];
  }

  tell(what, text, kind = "") {
    const cell = this.figure.querySelector(`[data-told=${what}]`);
    cell.textContent = what === "verdict" ? sentence(text) : text;
    cell.dataset.kind = kind;
  }

  query() {
    return new URLSearchParams({ experiment: $("experiment").value, ...this.sliders.get(), seed });
  }

  /** Ask for the forecast of the settings as they stand. */
  async look() {
    this.looking?.abort();
    this.looking = new AbortController();
    const { signal } = this.looking;
    this.figure.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => this.tell("verdict", "forecasting"), 400);
    try {
      const answer = await fetch(`/api/outlook?${this.query()}`, { signal });
      if (!answer.ok) throw new Error(await message(answer));
      this.outlook = await answer.json();
      this.chart.foretell(this.outlook);
      this.said();
    } catch (error) {
      if (!signal.aborted) this.tell("verdict", error.message, "bad");
    }
    clearTimeout(slow);
    if (!signal.aborted) this.figure.removeAttribute("aria-busy");
  }

  /** The forecast in numbers. */
  said() {
    const said = this.outlook.forecast;
    for (const name of ["early", "late"]) this.tell(name, short(this.chart.level(said?.[name])));
    const s = said?.switch;
    this.tell("switch", s ? `${short(s.middle)} (${short(s.low)}–${short(s.high)})` : said ? "none" : "–");
    if (!this.trained) this.tell("verdict", said ? said.reason : this.outlook.trouble);
  }

  forget(keep) {
    this.running?.abort();
    this.chart.clear(keep);
    form.classList.toggle("haunted", Object.values(sides).some((side) => side.chart.ghost.length));
    this.chart.redraw();
    this.trained = null;
    for (const name of ["seen-early", "seen-late", "seen-switch"]) this.tell(name, "–");
    if (this.outlook) this.said();
  }

  /** Train with the settings as they stand; resolves when the whole curve is shown. */
  async train() {
    const query = this.query();
    this.forget(true);
    this.running = new AbortController();
    const { signal } = this.running;
    await this.look();
    const shown = new Pace(signal);
    let ended = null;
    let updates = 0;
    const on = {
      place: ({ place }) => place && status(`waiting, number ${place} in line`),
      state: ({ state }) => status(state === "running" ? "training" : state),
      points: (piece) => {
        updates += 1;
        this.figure.dataset.updates = updates;
        shown.then(() => this.chart.add(piece));
      },
      mark: ({ name, time }) =>
        shown.also(() => {
          this.chart.mark(name, time);
          if (name === "generalization") this.tell("seen-switch", short(time));
        }),
      trouble: ({ message }) => (ended = { ok: false, outcome: message }),
      done: (told) => (ended = told),
    };
    await follow(`/api/train?${query}`, on, { signal });
    await shown.end();
    if (signal.aborted || !ended) throw new DOMException("", "AbortError");
    if (ended.updates !== undefined && ended.updates !== updates) ended = { ok: false, outcome: "some updates were lost" };
    this.chart.marks = ended.marks ?? {};
    this.chart.redraw();
    this.figure.dataset.outcome = ended.ok ? "ok" : "bad";
    this.trained = ended.updates === undefined ? null : query;
    this.judge(ended);
  }

  /** What came of the forecast. */
  judge({ ok, outcome, seen }) {
    if (!ok) return this.tell("verdict", outcome, "bad");
    this.tell("seen-early", short(this.chart.level({ test_error: seen.early })));
    this.tell("seen-late", short(this.chart.level({ test_error: seen.late })));
    this.tell("seen-switch", seen.time === null ? "none" : short(seen.time));
    const said = this.outlook.forecast;
    if (!said) return this.tell("verdict", this.outlook.trouble || "trained to the end");
    if (!said.switch) return this.tell("verdict", said.reason, seen.time === null ? "good" : "");
    const span = `${short(said.switch.low)} to ${short(said.switch.high)}`;
    if (seen.time === null) return this.tell("verdict", `A switch was forecast for ${span}, and none came.`, "bad");
    const inside = said.switch.low <= seen.time && seen.time <= said.switch.high;
    this.tell("verdict", `The switch came at ${short(seen.time)}, ${inside ? "inside" : "outside"} the forecast interval ${span}.`, inside ? "good" : "bad");
  }
}

/** Shows one piece after the other, with a little time between. */
class Pace {
  constructor(signal) {
    this.signal = signal;
    this.queue = [];
    this.beat = setInterval(() => this.next(), calm.matches ? 0 : SHOWN);
  }

  then(show) {
    this.queue.push([show]);
    if (this.queue.length === 1 && !this.begun) this.next();
    this.begun = true;
  }

  also(show) {
    if (this.queue.length) this.queue.at(-1).push(show);
    else show();
  }

  next() {
    if (this.signal.aborted) this.queue = [];
    for (const show of this.queue.shift() ?? []) show();
  }

  async end() {
    while (this.queue.length) await new Promise((done) => setTimeout(done, SHOWN));
    clearInterval(this.beat);
  }
}

let seed = 0;
const sides = { a: new Side("a"), b: new Side("b") };
const active = () => ($("compare").checked ? [sides.a, sides.b] : [sides.a]);
const status = (text) => ($("status").textContent = text);

function choose(name) {
  const found = experiments.find((one) => one.name === name) ?? experiments[0];
  $("experiment").value = found.name;
  for (const text of form.querySelectorAll(".says")) text.hidden = text.dataset.experiment !== found.name;
  for (const side of Object.values(sides)) {
    side.fill(found.params);
    side.chart.outlook = null;
    side.outlook = null;
    side.forget(false);
  }
}

function compare(on) {
  $("compare").checked = on;
  sides.b.figure.hidden = sides.b.fieldset.hidden = !on;
  form.classList.toggle("two", on);
  sides.a.fieldset.querySelector("legend").textContent = on ? "First setting" : "Settings";
}

/** The address of the view; `go` says that it was trained. */
function address() {
  const query = sides.a.query();
  if ($("compare").checked) for (const [name, value] of Object.entries(sides.b.sliders.get())) query.set(`b.${name}`, value);
  if (sides.a.trained) query.set("go", 1);
  return `${location.pathname}?${query}`;
}

function remember() {
  history.replaceState(null, "", address());
  const ready = active().every((side) => side.trained);
  const query = new URLSearchParams(sides.a.trained ?? sides.a.query());
  if (ready && $("compare").checked) for (const [name, value] of sides.b.trained) if (name !== "experiment") query.set(`b.${name}`, value);
  for (const link of form.querySelectorAll(".take a")) {
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

/** Another draw of the data and the start. */
function sow(number) {
  seed = Number.isFinite(number) ? Math.min(2 ** 32 - 1, Math.max(0, Math.round(number))) : seed;
  $("seed").value = seed;
  for (const side of Object.values(sides)) {
    if (active().includes(side)) changed(side, true);
    else side.forget(false); // hidden, and of the old draw: it is looked at anew when it is shown
  }
  status(`another draw: seed ${seed}`);
}

function changed(side, final) {
  if (side.trained || side.running) side.forget(true);
  clearTimeout(side.waiting);
  side.waiting = setTimeout(() => side.look(), final ? 0 : 120);
  remember();
  if (final && $("auto").checked) train();
}

let attempt = 0;
async function train() {
  const mine = ++attempt;
  $("stop").disabled = false;
  status("starting");
  const before = performance.now();
  try {
    await Promise.all(active().map((side) => side.train()));
    if (mine === attempt) status(`done in ${((performance.now() - before) / 1000).toFixed(1)} s`);
  } catch (error) {
    if (mine === attempt) status(error.name === "AbortError" ? "stopped" : error.message);
  }
  if (mine !== attempt) return;
  $("stop").disabled = true;
  $("rewind").disabled = false;
  remember();
}

function read() {
  const asked = new URLSearchParams(location.search);
  choose(asked.get("experiment"));
  seed = $("seed").valueAsNumber = Number(asked.get("seed") ?? 0);
  const first = Object.fromEntries(asked);
  sides.a.sliders.set(first);
  sides.b.sliders.set(first);
  const second = [...asked].filter(([name]) => name.startsWith("b."));
  if (second.length) sides.b.sliders.set(Object.fromEntries(second.map(([name, value]) => [name.slice(2), value])));
  compare(second.length > 0);
  if (asked.has("go")) train();
  else active().forEach((side) => side.look());
  remember();
}

$("experiment").append(...experiments.map(({ name, title }) => new Option(title, name)));
$("experiment").addEventListener("change", () => {
  choose($("experiment").value);
  active().forEach((side) => side.look());
  remember();
});
$("compare").addEventListener("change", () => {
  compare($("compare").checked);
  if ($("compare").checked) sides.b.look();
  remember();
});
$("draw").addEventListener("click", () => sow(seed + 1));
$("seed").addEventListener("change", () => sow($("seed").valueAsNumber));
$("rewind").addEventListener("click", () => {
  active().forEach((side) => side.forget(true));
  $("rewind").disabled = true;
  status("back at the start, with the same draw");
  remember();
});
$("stop").addEventListener("click", () => active().forEach((side) => side.running?.abort()));
$("link").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(new URL(address(), location));
    status("the link is in the clipboard");
  } catch (_) {
    status("the link is in the address bar");
  }
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  train();
});
read();
