import { Definition } from "./definition.js";
import { CrdsemError } from "./errors.js";

/** Answers requests through a transport: the program in this thread, or in a worker. */
export class Engine {
  #transport;
  #count = 0;

  /** @param {import("./index.js").Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /** Who answers: its version, the Kubernetes minors and the operations that it knows. */
  get hello() {
    return this.#transport.hello;
  }

  /**
   * Sends a request of the evaluation protocol and returns the text of the answer. Numbers in it
   * keep their kind: 1.0 is not 1.
   *
   * @param {string} line
   */
  async answer(line) {
    return this.#transport.answer(line);
  }

  /**
   * Sends a request and returns its answer. A fault is thrown.
   *
   * @param {object} request
   */
  async request(request) {
    const id = String(++this.#count);
    const answer = JSON.parse(await this.answer(JSON.stringify({ ...request, id })));
    if (answer.fault !== undefined) throw new CrdsemError(answer.fault, answer);
    return answer;
  }

  /**
   * Reads a definition. One that breaks a rule of the server is returned too: check() says so. It
   * throws if the text is not one definition, or a member has the wrong type.
   *
   * @param {import("./index.js").Document} crd
   * @param {import("./index.js").ParseOptions} [options]
   */
  async parse(crd, options = {}) {
    return Definition.read(this, crd, options);
  }

  /** Ends the library. Later requests fail. */
  close() {
    this.#transport.close();
  }
}
