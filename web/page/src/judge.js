/** The pause after a change before it is judged, in milliseconds. */
const pause = 120;

/** A request that takes longer than this is given up when the texts change again. */
const patience = 4000;

/**
 * Asks for verdicts on the state of the page: one request at a time, always about the latest
 * state.
 */
export class Judge {
  #library;
  #page;
  #timer;
  #asked; // when the request under way began
  #stale = false;
  #run = 0;
  #worker = "ready"; // or "starting", or "ended" if it did not start again
  #restart; // the promise of the latest start of the worker after the first one

  /**
   * @param {{engine: any, restart: () => Promise<void>}} library
   * @param {{state: () => any, asking: () => void, answered: Function,
   *   failed: (error: Error) => void}} page
   */
  constructor(library, page) {
    this.#library = library;
    this.#page = page;
  }

  /** The minors that the library knows, the oldest first. */
  get kubernetes() {
    return this.#library.engine.hello.kubernetes;
  }

  /** Sends a request. It waits while the worker is started again. A signal cancels it. */
  async request(members, signal) {
    await this.#restart;
    return this.#library.engine.request(members, { signal });
  }

  /** Notices that the state changed, and asks when it rests. */
  changed() {
    this.#stale = true;
    this.#later(pause);
  }

  /** Asks at once. */
  ask() {
    this.#stale = true;
    this.#next();
  }

  #later(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#next(), milliseconds);
  }

  #next() {
    if (!this.#stale || this.#worker === "starting") return;
    const waited = this.#asked === undefined ? 0 : performance.now() - this.#asked;
    if (waited > patience || this.#worker === "ended") this.#giveUp();
    else if (this.#asked !== undefined) this.#later(500);
    else this.#send();
  }

  async #send() {
    this.#stale = false;
    const run = ++this.#run;
    const state = this.#page.state();
    this.#asked = performance.now();
    this.#page.asking();
    try {
      const answer = await this.request(judgeRequest(state));
      const milliseconds = performance.now() - this.#asked;
      performance.measure("verdict", { start: this.#asked });
      if (run === this.#run) {
        this.#page.answered(answer, state, milliseconds);
        performance.measure("shown", { start: this.#asked });
      }
    } catch (error) {
      if (run === this.#run) this.#page.failed(error);
    }
    if (run !== this.#run) return;
    this.#asked = undefined;
    this.#next();
  }

  /** Starts the worker again, because the request under way takes too long. */
  async #giveUp() {
    this.#run++;
    this.#asked = undefined;
    this.#worker = "starting";
    this.#restart = this.#library.restart();
    try {
      await this.#restart;
      this.#worker = "ready";
      this.#next();
    } catch (error) {
      this.#worker = "ended"; // the next change tries again
      this.#page.failed(error);
    }
  }
}

/** Returns the request for the verdict on a state. */
export function judgeRequest(state) {
  return {
    op: "judge",
    kubernetes: state.kubernetes,
    definitions: state.definition,
    objects: state.object,
    stored: state.request === "create" ? "" : state.old,
    request: state.request,
    fieldValidation: state.validation,
  };
}
