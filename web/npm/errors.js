/** The error of a request that cannot be carried out, e.g. of a text that is no definition. */
export class CrdsemError extends Error {
  name = "CrdsemError";

  /**
   * @param {string} message
   * @param {{line?: number, column?: number, rule?: string, hint?: string,
   *   handle?: string}} [finding] what is wrong
   */
  constructor(message, finding = {}) {
    super(message);
    for (const name of ["line", "column", "rule", "hint", "handle"]) {
      if (finding[name] !== undefined) this[name] = finding[name];
    }
  }
}
