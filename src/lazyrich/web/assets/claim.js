// "Run it" on the page of a claim: shows the progress, then a link to the new result.
import { readStream } from "./stream.js";

const section = document.querySelector(".run-claim");
const [run, stop, progress, state] = ["run", "stop", "progress", "state"].map((id) => document.getElementById(id));
let controller = null;

run.addEventListener("click", async () => {
  controller = new AbortController();
  run.disabled = true;
  stop.hidden = progress.hidden = false;
  progress.removeAttribute("value");
  state.textContent = "starting";
  try {
    const url = `/api/claims/${encodeURIComponent(section.dataset.claim)}/run`;
    await readStream(url, handlers, { signal: controller.signal, method: "POST" });
  } catch (error) {
    state.textContent = controller.signal.aborted ? "stopped; nothing was stored" : error.message;
  }
  run.disabled = false;
  stop.hidden = progress.hidden = true;
});
stop.addEventListener("click", () => controller.abort());

const handlers = {
  queue({ position }) {
    if (position) state.textContent = `waiting, number ${position} in the queue`;
  },
  state() {
    state.textContent = "compiling and running";
  },
  progress({ what, done, total }) {
    progress.max = total;
    progress.value = done;
    state.textContent = `${what}: ${done} of ${total}`;
  },
  error({ message }) {
    state.textContent = message;
  },
  done({ verdict, seconds, run: name }) {
    state.textContent = `${verdict}, in ${seconds.toFixed(1)} s${name ? `; stored as ${name}` : ""}`;
    const link = document.createElement("a");
    link.href = location.pathname;
    link.textContent = "Show the new result";
    state.append(" · ", link);
  },
};
