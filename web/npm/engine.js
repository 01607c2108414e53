import { Definition } from "./definition.js";
import { CrdsemError } from "./errors.js";
import { checkedOptions } from "./options.js";
import { minorText, namedTexts } from "./text.js";

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
   * @param {{signal?: AbortSignal}} [options]
   */
  async answer(line, options) {
    const { signal } = checkedOptions(options, ["signal"]);
    return this.#transport.answer(line, signal);
  }

  /**
   * Sends a request and returns its answer. A fault is thrown.
   *
   * @param {object} request
   * @param {{signal?: AbortSignal}} [options]
   */
  async request(request, options) {
    const id = String(++this.#count);
    const answer = JSON.parse(await this.answer(JSON.stringify({ ...request, id }), options));
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
  async parse(crd, options) {
    return Definition.read(this, crd, checkedOptions(options, ["kubernetes", "signal"]));
  }

  /**
   * Judges documents of any kind: definitions are checked, and other objects are created by them.
   *
   * @param {import("./index.js").Document | (import("./index.js").Document |
   *   import("./index.js").NamedText)[]} documents
   * @param {import("./index.js").ValidateOptions} [options]
   */
  async validate(documents, options) {
    const known = ["kubernetes", "fieldValidation", "details", "signal"];
    const {
      kubernetes,
      fieldValidation = "",
      details = false,
      signal,
    } = checkedOptions(options, known);
    const request = {
      op: "validateDocuments",
      kubernetes: minorText(kubernetes),
      fieldValidation,
      details,
      documents: namedTexts(documents),
    };
    const { results } = await this.request(request, { signal });
    return results.map((result) => ({ findings: [], changes: [], ...result }));
  }

  /** Ends the library. Later requests fail. */
  close() {
    this.#transport.close();
  }
}
