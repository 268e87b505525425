// Shows the chunks of a curve one after the other, with a little time between them.

const INTERVAL = 34; // milliseconds between two chunks: a run of a tenth of a second would not be visible
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export class Pacer {
  constructor(signal) {
    this.signal = signal;
    this.queue = [];
    this.timer = setInterval(() => this.next(), reducedMotion.matches ? 0 : INTERVAL);
  }

  /** Calls `show` after those before it. */
  add(show) {
    this.queue.push([show]);
    if (this.queue.length === 1 && !this.started) this.next();
    this.started = true;
  }

  /** Calls `show` together with the last one that was added. */
  addToLast(show) {
    if (this.queue.length) this.queue.at(-1).push(show);
    else show();
  }

  next() {
    if (this.signal.aborted) this.queue = [];
    for (const show of this.queue.shift() ?? []) show();
  }

  /** Resolves when all are shown. */
  async finish() {
    while (this.queue.length) await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    clearInterval(this.timer);
  }
}
