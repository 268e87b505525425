// One slider and one number field for each parameter, within its range; logarithmic where the range is wide.

const STEPS = 240;

/** A number in three digits, as short as it can be written. */
export function formatNumber(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [digits, power] = value.toExponential(2).split("e");
    return `${Number(digits)}e${Number(power)}`;
  }
  return String(Number(value.toPrecision(3)));
}

const toFraction = (p, value) =>
  p.log ? Math.log(value / p.low) / Math.log(p.high / p.low) : (value - p.low) / (p.high - p.low);

function fromFraction(p, fraction) {
  const value = p.log ? p.low * (p.high / p.low) ** fraction : p.low + fraction * (p.high - p.low);
  return clamp(p, p.whole ? Math.round(value) : Number(value.toPrecision(3)));
}

export const clamp = (p, value) => Math.min(p.high, Math.max(p.low, p.whole ? Math.round(value) : value));

/** Fills a container with the sliders of an experiment; calls `onChange(final)` as they move. Returns get() and set(values). */
export function createSliders(container, params, side, onChange) {
  container.replaceChildren();
  const rows = params.map((p) => createRow(container, p, side, onChange));
  return {
    get: () => Object.fromEntries(rows.map(({ p, get }) => [p.name, get()])),
    set: (values) => rows.forEach(({ p, set }) => p.name in values && set(clamp(p, Number(values[p.name])))),
  };
}

function createRow(container, p, side, onChange) {
  const id = `${side}-${p.name}`;
  const row = document.createElement("div");
  row.className = "slider";
  const label = document.createElement("label");
  label.htmlFor = id;
  label.textContent = p.name.replaceAll("_", " ");
  const unit = document.createElement("small");
  unit.textContent = p.unit;
  const number = createInput(`${id}-number`, "number", { min: p.low, max: p.high, step: p.whole ? 1 : "any" });
  number.setAttribute("aria-label", `${label.textContent}, ${p.unit}, as a number`);
  const range = createInput(id, "range", p.whole ? { min: p.low, max: p.high, step: 1 } : { min: 0, max: STEPS, step: 1 });
  range.dataset.param = p.name;
  const words = document.createElement("span");
  words.append(label, " ", unit);
  row.append(words, number, range);
  container.append(row);

  let current = p.value;
  const set = (value) => {
    current = value;
    number.value = p.whole ? value : formatNumber(value);
    number.setCustomValidity("");
    range.value = p.whole ? value : Math.round(toFraction(p, value) * STEPS);
    range.setAttribute("aria-valuetext", `${formatNumber(value)} ${p.unit}`);
  };
  set(p.value);
  range.addEventListener("input", () => {
    set(p.whole ? Number(range.value) : fromFraction(p, range.value / STEPS));
    onChange(false);
  });
  range.addEventListener("change", () => onChange(true));
  number.addEventListener("change", () => {
    const typed = number.valueAsNumber;
    if (Number.isFinite(typed)) set(clamp(p, typed));
    else set(current);
    onChange(true);
  });
  return { p, set, get: () => current };
}

function createInput(id, type, attributes) {
  const element = document.createElement("input");
  Object.assign(element, { id, type, ...attributes });
  return element;
}
