import { count } from "./dom.js";

/** The verdicts, the worst one first. */
const ranks = ["unreadable", "refused", "notJudged", "accepted"];

/** Returns the worst verdict of results; undefined if there are none. */
export const worst = (results) => ranks.find((verdict) => of(results, verdict).length);

const of = (results, verdict) => results.filter((result) => result.verdict === verdict);

/** Returns a verdict as text. */
export const named = (verdict) => (verdict === "notJudged" ? "not judged" : verdict);

/**
 * Returns the results that count as those of the definitions. Documents of other kinds, e.g. a
 * Namespace, count only where there is nothing else.
 */
export function ofDefinitions(results) {
  const own = results.filter((result) => result.definition || result.verdict === "unreadable");
  return own.length ? own : results;
}

/** Returns the findings of results. */
export const findingsOf = (results) => results.flatMap((result) => result.findings ?? []);

/** Returns the number of errors of results. */
export const errorsOf = (results) =>
  findingsOf(results).filter(({ severity }) => severity === "error").length;

/** Returns the verdict on things, e.g. "3 of 25 objects are refused." */
export function verdictOn(thing, results) {
  const verdict = worst(results);
  const n = of(results, verdict).length;
  if (results.length === 1) return `The ${thing} is ${named(verdict)}.`;
  if (n === results.length) return `All ${count(n, thing)} are ${named(verdict)}.`;
  const others = ranks
    .slice(ranks.indexOf(verdict) + 1, -1)
    .map((other) => [other, of(results, other)]);
  const rest = others
    .filter(([, found]) => found.length)
    .map(([other, found]) => ` ${found.length} ${isOrAre(found.length)} ${named(other)}.`);
  return `${n} of ${count(results.length, thing)} ${isOrAre(n)} ${named(verdict)}.${rest.join("")}`;
}

const isOrAre = (n) => (n === 1 ? "is" : "are");

const reasons = {
  noDefinition: "No definition of its group and kind is given.",
  builtIn: "Its kind is built into Kubernetes.",
  noObject: "It has no apiVersion and no kind.",
  definitionRefused: "Its definition cannot be compiled.",
};

/** Returns why an object was not judged. It is empty if its findings say so. */
export const whyNotJudged = ({ reason }) => reasons[reason] ?? "";

/** Returns how the object of a kind that is built into Kubernetes was judged; empty for others. */
export const howJudged = ({ byStructure }) =>
  byStructure ? "Its kind is built into Kubernetes: the server checks more than its fields." : "";

/** Returns why a document among the definitions was not judged; empty if its findings say so. */
export function whyNoDefinition({ reason, kind, apiVersion }) {
  if (!reason) return "";
  if (!kind) return "It has no kind.";
  if (isDefinition({ kind })) return `Its apiVersion is ${apiVersion ?? "missing"}.`;
  return `Its kind is ${kind}, not CustomResourceDefinition.`;
}

/** Reports whether a document says that it is a definition. */
export const isDefinition = ({ kind }) => kind === "CustomResourceDefinition";
