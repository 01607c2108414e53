import { count, h } from "./dom.js";
import { conversionPanel } from "./panels/conversion.js";
import { costsPanel } from "./panels/costs.js";
import { explanationPanel } from "./panels/explanation.js";
import { findingsPanel } from "./panels/findings.js";
import { minorsPanel } from "./panels/minors.js";
import { storedPanel } from "./panels/stored.js";
import { tablePanel } from "./panels/table.js";

const findingsOf = (shown) =>
  [...shown.definitions, ...shown.objects].flatMap((result) => result.findings ?? []);

const explanationsOf = (shown) => shown.objects.flatMap((object) => object.explanations ?? []);

const number = (n) => (n ? String(n) : "");

/** The tabs of the page, each with what it counts. */
export const pageTabs = [
  {
    id: "findings",
    title: "Findings",
    badge: (shown) => number(findingsOf(shown).length),
    render: findingsPanel,
  },
  {
    id: "stored",
    title: "Stored",
    badge: (shown) => number(shown.objects.flatMap((object) => object.changes ?? []).length),
    render: storedPanel,
  },
  {
    id: "explanation",
    title: "Explanation",
    badge: (shown) => number(explanationsOf(shown).length),
    render: explanationPanel,
  },
  { id: "costs", title: "Costs", render: costsPanel },
  { id: "conversion", title: "Conversion", render: conversionPanel },
  { id: "table", title: "Table", render: tablePanel },
  { id: "minors", title: "Kubernetes minors", render: minorsPanel },
];

/** Returns the verdict in a sentence. */
export function headline(shown) {
  const unaccepted = (results) => results.find((result) => result.verdict !== "accepted");
  const definition = unaccepted(shown.definitions);
  const object = unaccepted(shown.objects);
  const [first] = shown.objects;
  const time = h("span", { class: "time" }, `${shown.milliseconds.toFixed(1)} ms`);
  if (!shown.definitions.length) return line("empty", "No definition. ", "Paste one.", time);
  if (definition) {
    const rest = object?.verdict === "refused" ? "So is the object." : sentence(first);
    return line("refused", `The definition is ${words(definition.verdict)}. `, rest, time);
  }
  if (!first) return line("accepted", "The definition is accepted. ", "There is no object.", time);
  if (object) {
    return line(object.verdict, `The object is ${words(object.verdict)}. `, sentence(object), time);
  }
  const what = first.request === "create" ? "created" : "updated";
  const title = shown.objects.length === 1 ? "Accepted. " : "All objects are accepted. ";
  return line("accepted", title, `The object is ${what}. ${sentence(first)}`, time);
}

function line(kind, strong, rest, time) {
  return { kind, text: [h("strong", {}, strong), h("span", {}, rest, " "), time] };
}

const words = (verdict) => ({ notJudged: "not judged" })[verdict] ?? verdict;

const reasons = {
  noDefinition: "No definition of its group and kind is given.",
  builtIn: "Its kind is built into Kubernetes.",
  noObject: "It has no apiVersion and no kind.",
  definitionRefused: "Its definition cannot be compiled.",
};

/** Returns what was done to an object. */
function sentence(result) {
  if (!result) return "";
  if (result.reason) return reasons[result.reason];
  const changes = result.changes ?? [];
  const n = (...actions) => changes.filter((change) => actions.includes(change.action)).length;
  const parts = [];
  const errors = (result.findings ?? []).filter(({ severity }) => severity === "error").length;
  if (errors) parts.push(count(errors, "error"));
  const pruned = n("Pruned", "MetadataPruned", "NullDropped", "StatusDropped");
  if (pruned) parts.push(`${count(pruned, "field")} removed`);
  if (n("Defaulted")) parts.push(`${count(n("Defaulted"), "default")} filled in`);
  if (result.rulesCost) parts.push(`rules cost ${result.rulesCost.toLocaleString("en")}`);
  return parts.length ? `${parts.join(", ")}.` : "";
}
