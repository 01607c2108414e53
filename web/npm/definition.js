import { CrdsemError } from "./errors.js";
import { documentText } from "./text.js";

/** A definition, as one Kubernetes minor reads it. */
export class Definition {
  #engine;
  #text;
  #kubernetes;
  #result;

  /**
   * @param {import("./engine.js").Engine} engine
   * @param {string | object} crd
   * @param {import("./index.js").ParseOptions} options
   */
  static async read(engine, crd, options) {
    const text = documentText(crd);
    const answer = await engine.request({
      op: "judge",
      definitions: text,
      kubernetes: options.kubernetes ?? "",
    });
    const [result] = answer.definitions;
    if (answer.models.length !== 1 || answer.definitions.length !== 1) {
      throw new CrdsemError(reasonOf(result, answer.definitions.length));
    }
    return new Definition(engine, text, options.kubernetes ?? "", result, answer.models[0]);
  }

  /** @private */
  constructor(engine, text, kubernetes, result, model) {
    this.#engine = engine;
    this.#text = text;
    this.#kubernetes = kubernetes;
    this.#result = result;
    this.name = model.name;
    this.group = model.group;
    this.kind = model.kind;
    this.scope = model.scope;
    this.versions = model.versions.map((version) => new Version(this, version));
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
   * @param {string | object} [old]
   */
  async check(old) {
    if (old === undefined) return this.#result;
    const { definitions } = await this.judge({ storedDefinitions: documentText(old) });
    return definitions[0];
  }

  /** Returns the estimated costs of the rules, a table for each version. */
  async cost() {
    const { tables } = await this.#engine.request({
      op: "costs",
      definitions: this.#text,
      kubernetes: this.#kubernetes,
    });
    return tables;
  }

  /**
   * Converts objects to another version. A webhook is not called: it is an error if one would be.
   *
   * @param {(string | object)[]} objects
   * @param {string} version e.g. "v1"
   */
  async convert(objects, version) {
    const answer = await this.#protocol({
      op: "convert",
      objects,
      to: `${this.group}/${version}`,
    });
    if (answer.errors?.length) throw new CrdsemError(answer.errors[0].text);
    return answer.objects;
  }

  /**
   * Returns the table of objects that kubectl prints.
   *
   * @param {string} version
   * @param {(string | object)[]} objects
   * @param {Date} now
   */
  async table(version, objects, now) {
    const { columns, rows } = await this.#protocol({
      op: "table",
      version,
      objects,
      now: now.toISOString(),
    });
    return { columns, rows };
  }

  /**
   * Sends a request of the operation judge about this definition.
   *
   * @param {object} members
   */
  judge(members) {
    return this.#engine.request({
      op: "judge",
      definitions: this.#text,
      kubernetes: this.#kubernetes,
      ...members,
    });
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
   * @param {string | object} object
   * @param {import("./index.js").RequestOptions} [options]
   */
  create(object, options) {
    return this.#send({ request: "create", objects: documentText(object) }, options);
  }

  /**
   * Updates an object.
   *
   * @param {string | object} object
   * @param {string | object} old the stored object
   * @param {import("./index.js").RequestOptions} [options]
   */
  update(object, old, options) {
    const texts = { objects: documentText(object), stored: documentText(old) };
    return this.#send({ request: "update", ...texts }, options);
  }

  /**
   * Updates the status of an object.
   *
   * @param {string | object} object
   * @param {string | object} old the stored object
   * @param {import("./index.js").RequestOptions} [options]
   */
  updateStatus(object, old, options) {
    const texts = { objects: documentText(object), stored: documentText(old) };
    return this.#send({ request: "updateStatus", ...texts }, options);
  }

  /** Returns the estimated costs of the version's rules. */
  async cost() {
    const tables = await this.#definition.cost();
    return tables.find((table) => table.version === this.name);
  }

  /**
   * Returns the table of objects that kubectl prints.
   *
   * @param {(string | object)[]} objects
   * @param {Date} [now] what ages are counted from
   */
  table(objects, now = new Date()) {
    return this.#definition.table(this.name, objects, now);
  }

  async #send(members, options = {}) {
    const { objects } = await this.#definition.judge({
      version: this.name,
      fieldValidation: options.fieldValidation ?? "",
      ...members,
    });
    if (objects.length !== 1) {
      throw new CrdsemError(`the text has ${objects.length} objects, want one`);
    }
    return objects[0];
  }
}

function reasonOf(result, count) {
  if (count !== 1) return `the text has ${count} documents, want one definition`;
  const text = result.refusal ?? result.findings?.[0]?.text ?? "it is no definition";
  return `the definition cannot be read: ${text}`;
}
