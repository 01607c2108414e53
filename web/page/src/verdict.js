import { count } from "./dom.js";
import { conversionPanel } from "./panels/conversion.js";
import { costsPanel } from "./panels/costs.js";
import { descriptionPanel } from "./panels/description.js";
import { explanationPanel } from "./panels/explanation.js";
import { findingsPanel } from "./panels/findings.js";
import { minorsPanel } from "./panels/minors.js";
import { storedPanel } from "./panels/stored.js";
import { tablePanel } from "./panels/table.js";
import {
  errorsOf,
  findingsOf,
  howJudged,
  isDefinition,
  ofDefinitions,
  verdictOn,
  whyNoDefinition,
  whyNotJudged,
  worst,
} from "./results.js";

const explanationsOf = (shown) => shown.objects.flatMap((object) => object.explanations ?? []);

const number = (n) => (n ? String(n) : "");

/** The tabs of the page, each with what it counts. */
export const pageTabs = [
  {
    id: "findings",
    title: "Findings",
    badge: (shown) => number(findingsOf([...shown.definitions, ...shown.objects]).length),
    render: findingsPanel,
  },
  {
    id: "stored",
    title: "Stored",
    badge: (shown) => number(shown.objects.flatMap((object) => object.marks ?? []).length),
    render: storedPanel,
  },
  {
    id: "explanation",
    title: "Explanation",
    badge: (shown) => number(explanationsOf(shown).length),
    render: explanationPanel,
  },
  { id: "description", title: "Description", render: descriptionPanel },
  { id: "costs", title: "Costs", render: costsPanel },
  { id: "conversion", title: "Conversion", render: conversionPanel },
  { id: "table", title: "Table", render: tablePanel },
  { id: "minors", title: "Kubernetes minors", render: minorsPanel },
];

/**
 * Returns the verdict in sentences.
 *
 * @returns {{kind: string, title: string, rest: string}}
 */
export function headline({ definitions, objects }) {
  const own = ofDefinitions(definitions);
  const needsOne = !objects.some(howJudged);
  if (!own.length && needsOne) return line("empty", "No definition.", "Paste one.");
  const kind = own.length ? worst(own) : "accepted";
  if (kind !== "accepted")
    return line(kind, verdictOn("definition", own), ...objection(own, objects));
  if (!objects.length) return line(kind, "The definition is accepted.", "There is no object.");
  if (worst(objects) !== "accepted") {
    return line(
      worst(objects),
      verdictOn("object", objects),
      reasonOf(objects),
      changesOf(objects),
    );
  }
  if (objects.length > 1) return line(kind, verdictOn("object", objects), changesOf(objects));
  const [{ request, webhook }] = objects;
  const what = request === "create" ? "created" : "updated";
  const how = howJudged(objects[0]) || `The object is ${what}.`;
  const open = webhook ? "A conversion webhook decides what is stored." : "";
  return line(kind, "Accepted.", how, open, changesOf(objects));
}

const line = (kind, title, ...sentences) => ({
  kind,
  title,
  rest: sentences.filter(Boolean).join(" "),
});

/** Returns why definitions are not accepted, and what holds for the objects anyway. */
function objection(definitions, objects) {
  const [first] = definitions;
  if (first.reason) {
    return [whyNoDefinition(first), objects.some(isDefinition) ? "Did you swap the texts?" : ""];
  }
  const errors = errorsOf(definitions);
  return [errors ? `${count(errors, "error")}.` : "", objects.length ? otherwise(objects) : ""];
}

/** Returns the verdict on objects whose definition is not accepted. */
function otherwise(objects) {
  if (worst(objects) !== "accepted") return verdictOn("object", objects);
  return objects.length === 1 ? "The object would be accepted." : "All objects would be accepted.";
}

/** Returns why objects were not judged, if all have the same reason. */
function reasonOf(objects) {
  const reasons = new Set(objects.map(whyNotJudged));
  return reasons.size === 1 ? [...reasons][0] : "";
}

/** Returns the errors of objects, and what was done to them. */
function changesOf(objects) {
  const changes = objects.flatMap((object) => object.changes ?? []);
  const n = (...actions) => changes.filter((change) => actions.includes(change.action)).length;
  const parts = [];
  const errors = errorsOf(objects);
  if (errors) parts.push(count(errors, "error"));
  const pruned = n("Pruned", "MetadataPruned", "NullDropped", "StatusDropped");
  if (pruned) parts.push(`${count(pruned, "field")} removed`);
  const lost = objects.flatMap((object) => object.lost ?? []).length;
  if (lost) parts.push(`${count(lost, "field")} lost on the way to storage`);
  if (n("Defaulted")) parts.push(`${count(n("Defaulted"), "default")} filled in`);
  const cost = objects.length === 1 && objects[0].rulesCost;
  if (cost) parts.push(`rules cost ${cost.toLocaleString("en")}`);
  return parts.length ? `${parts.join(", ")}.` : "";
}
