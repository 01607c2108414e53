/** The error of a request that cannot be carried out, e.g. of a text that is no definition. */
export class CrdsemError extends Error {
  name = "CrdsemError";
}
