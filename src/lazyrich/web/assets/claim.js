// "Run it" on the page of a claim: progress while it is judged, then the page anew with the result.
import { follow } from "./stream.js";

const runner = document.querySelector(".runner");
const [run, stop, progress, state] = ["run", "stop", "progress", "state"].map((id) => document.getElementById(id));
let leaving = null;

run.addEventListener("click", async () => {
  leaving = new AbortController();
  run.disabled = true;
  stop.hidden = progress.hidden = false;
  progress.removeAttribute("value");
  state.textContent = "starting";
  try {
    await follow(`/api/claims/${encodeURIComponent(runner.dataset.claim)}/run`, events, { signal: leaving.signal, method: "POST" });
  } catch (error) {
    state.textContent = leaving.signal.aborted ? "stopped; nothing was stored" : error.message;
  }
  run.disabled = false;
  stop.hidden = progress.hidden = true;
});
stop.addEventListener("click", () => leaving.abort());

const events = {
  place({ place }) {
    if (place) state.textContent = `waiting, number ${place} in line`;
  },
  state() {
    state.textContent = "compiling and running";
  },
  progress({ what, done, total }) {
    progress.max = total;
    progress.value = done;
    state.textContent = `${what}: ${done} of ${total}`;
  },
  trouble({ message }) {
    state.textContent = message;
  },
  done({ verdict, seconds, run: name }) {
    state.textContent = `${verdict}, in ${seconds.toFixed(1)} s${name ? `; stored as ${name}` : ""}`;
    const shown = document.createElement("a");
    shown.href = location.pathname;
    shown.textContent = "Show the new result";
    state.append(" · ", shown);
  },
};
