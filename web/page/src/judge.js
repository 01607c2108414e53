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

  /**
   * @param {{engine: any, restart: () => Promise<void>}} library
   * @param {{state: () => any, answered: Function, failed: (error: Error) => void}} page
   */
  constructor(library, page) {
    this.#library = library;
    this.#page = page;
  }

  /** The minors that the library knows, the oldest first. */
  get kubernetes() {
    return this.#library.engine.hello.kubernetes;
  }

  request(members) {
    return this.#library.engine.request(members);
  }

  /** Notices that the state changed, and asks when it rests. */
  changed() {
    this.#stale = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#next(), pause);
  }

  /** Asks at once. */
  ask() {
    this.#stale = true;
    this.#next();
  }

  async #next() {
    if (!this.#stale) return;
    if (this.#asked !== undefined) {
      if (performance.now() - this.#asked > patience) await this.#giveUp();
      else {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#next(), 500);
        return;
      }
    }
    this.#stale = false;
    const run = ++this.#run;
    const state = this.#page.state();
    this.#asked = performance.now();
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
    } finally {
      if (run === this.#run) this.#asked = undefined;
    }
    if (run === this.#run && this.#stale) this.#next();
  }

  /** Starts the worker again, because the request under way takes too long. */
  async #giveUp() {
    this.#run++;
    this.#asked = undefined;
    await this.#library.restart();
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
