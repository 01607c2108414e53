import { CrdsemError } from "./errors.js";
import { checkedOptions } from "./options.js";
import { documentText, documentTexts, minorText } from "./text.js";

/** The definitions that the program keeps. One that nobody has any more is closed. */
const abandoned = new FinalizationRegistry((close) => close());

let opened = 0;

/** A definition, as one Kubernetes minor reads it. The program keeps it, compiled. */
export class Definition {
  #engine;
  #text;
  #kubernetes;
  #handle;
  #result;

  /**
   * @param {import("./engine.js").Engine} engine
   * @param {import("./index.js").Document} crd
   * @param {import("./index.js").ParseOptions} options
   */
  static async read(engine, crd, { kubernetes, signal }) {
    const open = {
      op: "open",
      handle: `d${++opened}`,
      definitions: documentText(crd),
      kubernetes: minorText(kubernetes),
    };
    const close = () => engine.request({ op: "close", handle: open.handle }).catch(() => {});
    const { definitions, models } = await engine.request(open, { signal });
    try {
      return new Definition(engine, open, only(definitions, models), models[0], close);
    } catch (error) {
      close();
      throw error;
    }
  }

  /** @private */
  constructor(engine, open, result, model, close) {
    this.#engine = engine;
    this.#text = open.definitions;
    this.#kubernetes = open.kubernetes;
    this.#handle = open.handle;
    this.#result = whole(result);
    this.name = model.name;
    this.group = model.group;
    this.kind = model.kind;
    this.scope = model.scope;
    this.versions = model.versions.map((version) => new Version(this, version));
    abandoned.register(this, close, this);
  }

  /** Forgets the definition in the program. It is forgotten too when nobody has it any more. */
  close() {
    abandoned.unregister(this);
    this.#engine.request({ op: "close", handle: this.#handle }).catch(() => {});
  }

  /**
   * Returns a version; throws if the definition does not have it.
   *
   * @param {string} name
   */
  version(name) {
    const found = this.versions.find((version) => version.name === name);
    if (found) return found;
    const known = this.versions.map((version) => version.name).join(", ");
    throw new CrdsemError(`the definition has no version ${name}; it has ${known}`);
  }

  /**
   * Returns the verdict on the definition: on its creation or, with an old definition, on its
   * update.
   *
   * @param {import("./index.js").Document} [old]
   */
  async check(old) {
    if (old === undefined) return this.#result;
    const { definitions } = await this.judge({ storedDefinitions: documentText(old) });
    const [result] = definitions;
    if (result.request === "update") return result;
    throw new CrdsemError(`the old text has no definition named ${this.name}`);
  }

  /** Returns the estimated costs of the rules, a table for each version. */
  async cost() {
    const { tables } = await this.#ask({ op: "costs" });
    return tables;
  }

  /**
   * Converts objects to another version. A webhook is not called: it is an error if one would be.
   *
   * @param {import("./index.js").Document[]} objects
   * @param {string} version e.g. "v1"
   */
  async convert(objects, version) {
    const answer = await this.#protocol({
      op: "convert",
      objects: documentTexts(objects),
      to: `${this.group}/${version}`,
    });
    if (answer.errors?.length) throw new CrdsemError(answer.errors[0].text);
    return answer.objects;
  }

  /**
   * Returns the table of objects that kubectl prints.
   *
   * @param {string} version
   * @param {import("./index.js").Document[]} objects
   * @param {Date} now
   */
  async table(version, objects, now) {
    const { columns, rows } = await this.#protocol({
      op: "table",
      version,
      objects: documentTexts(objects),
      now: now.toISOString(),
    });
    return { columns, rows };
  }

  /**
   * Sends a request of the operation judge about this definition.
   *
   * @param {object} members
   * @param {AbortSignal} [signal]
   */
  async judge(members, signal) {
    const { definitions, objects } = await this.#ask({ op: "judge", ...members }, signal);
    return { definitions: definitions.map(whole), objects: objects.map(whole) };
  }

  /** Sends a request about this definition, and opens it again if the program was replaced. */
  async #ask(members, signal) {
    const request = { handle: this.#handle, ...members };
    try {
      return await this.#engine.request(request, { signal });
    } catch (error) {
      if (error?.handle !== this.#handle) throw error;
    }
    const open = { op: "open", handle: this.#handle, kubernetes: this.#kubernetes };
    await this.#engine.request({ ...open, definitions: this.#text }, { signal });
    return this.#engine.request(request, { signal });
  }

  #protocol(members) {
    const kubernetes = this.#kubernetes ? { kubernetes: this.#kubernetes } : {};
    return this.#engine.request({ crd: this.#text, ...kubernetes, ...members });
  }
}

/** A version of a definition. */
export class Version {
  #definition;

  /**
   * @param {Definition} definition
   * @param {{name: string, served: boolean, storage: boolean, status: boolean}} model
   */
  constructor(definition, model) {
    this.#definition = definition;
    this.name = model.name;
    this.served = model.served;
    this.storage = model.storage;
    this.status = model.status;
  }

  /**
   * Creates an object. The argument is not changed.
   *
   * @param {import("./index.js").Document} object
   * @param {import("./index.js").RequestOptions} [options]
   */
  async create(object, options) {
    return this.#send({ request: "create", objects: documentText(object) }, options);
  }

  /**
   * Updates an object.
   *
   * @param {import("./index.js").Document} object
   * @param {import("./index.js").Document} old the stored object
   * @param {import("./index.js").RequestOptions} [options]
   */
  async update(object, old, options) {
    const texts = { objects: documentText(object), stored: documentText(old) };
    return this.#send({ request: "update", ...texts }, options);
  }

  /**
   * Updates the status of an object.
   *
   * @param {import("./index.js").Document} object
   * @param {import("./index.js").Document} old the stored object
   * @param {import("./index.js").RequestOptions} [options]
   */
  async updateStatus(object, old, options) {
    const texts = { objects: documentText(object), stored: documentText(old) };
    return this.#send({ request: "updateStatus", ...texts }, options);
  }

  /**
   * Creates objects, in one request. They do not see each other: two of one name are no error.
   *
   * @param {import("./index.js").Document[]} objects
   * @param {import("./index.js").RequestOptions} [options]
   * @returns {Promise<import("./index.js").Result[]>}
   */
  async createAll(objects, options) {
    return this.#answered({ request: "create", each: documentTexts(objects) }, options);
  }

  /** Returns the estimated costs of the version's rules. */
  async cost() {
    const tables = await this.#definition.cost();
    return tables.find((table) => table.version === this.name);
  }

  /**
   * Returns the table of objects that kubectl prints.
   *
   * @param {import("./index.js").Document[]} objects
   * @param {Date} [now] what ages are counted from
   */
  table(objects, now = new Date()) {
    return this.#definition.table(this.name, objects, now);
  }

  async #send(members, options) {
    const objects = await this.#answered(members, options);
    if (objects.length !== 1) {
      throw new CrdsemError(`the text has ${objects.length} objects, want one`);
    }
    return objects[0];
  }

  async #answered(members, options) {
    const { fieldValidation = "", signal } = checkedOptions(options, ["fieldValidation", "signal"]);
    const request = { version: this.name, fieldValidation, ...members };
    const { objects } = await this.#definition.judge(request, signal);
    return objects;
  }
}

/** Returns the result of a text that is one definition. Anything else is an error. */
function only(definitions, models) {
  if (definitions.length !== 1) {
    throw new CrdsemError(`the text has ${definitions.length} documents, want one definition`);
  }
  const [result] = definitions;
  if (result.item) throw new CrdsemError("the text is a list, want one definition");
  if (models.length !== 1) throw unreadable(result);
  return result;
}

/** Returns a result whose lists are there when they are empty, too. */
const whole = (result) => ({ findings: [], changes: [], ...result });

/** Returns the error of a definition that cannot be read. */
function unreadable({ findings = [] }) {
  const [finding = { text: "it is no definition" }] = findings;
  const place = finding.line ? `line ${finding.line}: ` : "";
  const hint = finding.hint ? `; hint: ${finding.hint}` : "";
  return new CrdsemError(`the definition cannot be read: ${place}${finding.text}${hint}`, finding);
}
