// One slider and one number field for each parameter, within its range; logarithmic where the range is wide.

const STEPS = 240;

/** A number in three digits, as short as it can be written. */
export function short(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [digits, power] = value.toExponential(2).split("e");
    return `${Number(digits)}e${Number(power)}`;
  }
  return String(Number(value.toPrecision(3)));
}

const toShare = (p, value) =>
  p.log ? Math.log(value / p.low) / Math.log(p.high / p.low) : (value - p.low) / (p.high - p.low);

function fromShare(p, share) {
  const value = p.log ? p.low * (p.high / p.low) ** share : p.low + share * (p.high - p.low);
  return clamp(p, p.whole ? Math.round(value) : Number(value.toPrecision(3)));
}

export const clamp = (p, value) => Math.min(p.high, Math.max(p.low, p.whole ? Math.round(value) : value));

/** Fills a box with the sliders of an experiment; `changed(final)` is called as they move. Gives get() and set(values). */
export function sliders(box, params, side, changed) {
  box.replaceChildren();
  const rows = params.map((p) => row(box, p, side, changed));
  return {
    get: () => Object.fromEntries(rows.map(({ p, value }) => [p.name, value()])),
    set: (values) => rows.forEach(({ p, show }) => p.name in values && show(clamp(p, Number(values[p.name])))),
  };
}

function row(box, p, side, changed) {
  const id = `${side}-${p.name}`;
  const part = document.createElement("div");
  part.className = "slider";
  const label = document.createElement("label");
  label.htmlFor = id;
  label.textContent = p.name;
  const unit = document.createElement("small");
  unit.textContent = p.unit;
  const number = input(`${id}-number`, "number", { min: p.low, max: p.high, step: p.whole ? 1 : "any" });
  number.setAttribute("aria-label", `${p.name}, ${p.unit}, as a number`);
  const range = input(id, "range", p.whole ? { min: p.low, max: p.high, step: 1 } : { min: 0, max: STEPS, step: 1 });
  range.dataset.param = p.name;
  part.append(label, unit, number, range);
  box.append(part);

  let now = p.value;
  const show = (value) => {
    now = value;
    number.value = p.whole ? value : short(value);
    number.setCustomValidity("");
    range.value = p.whole ? value : Math.round(toShare(p, value) * STEPS);
    range.setAttribute("aria-valuetext", `${short(value)} ${p.unit}`);
  };
  show(p.value);
  range.addEventListener("input", () => {
    show(p.whole ? Number(range.value) : fromShare(p, range.value / STEPS));
    changed(false);
  });
  range.addEventListener("change", () => changed(true));
  number.addEventListener("change", () => {
    const typed = number.valueAsNumber;
    if (Number.isFinite(typed)) show(clamp(p, typed));
    else show(now);
    changed(true);
  });
  return { p, show, value: () => now };
}

function input(id, type, settings) {
  const made = document.createElement("input");
  Object.assign(made, { id, type, ...settings });
  return made;
}
