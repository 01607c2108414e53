import { h } from "../dom.js";

/** Explains failed rules: the values of their sub-expressions. */
export function explanationPanel(shown) {
  const explanations = shown.objects.flatMap((object) => object.explanations ?? []);
  if (!explanations.length) {
    return [h("p", { class: "empty" }, "No rule failed, so there is nothing to explain.")];
  }
  return explanations.map((explanation) =>
    h(
      "section",
      { class: "explanation" },
      h("h3", {}, "At ", h("code", {}, explanation.field || "the object")),
      h("pre", { class: "rule-text" }, explanation.rule),
      h(
        "table",
        {},
        h("caption", { class: "hidden" }, "Values of the sub-expressions"),
        h("thead", {}, h("tr", {}, headCell("Expression"), headCell("Value"))),
        h("tbody", {}, explanation.terms.map(termRow)),
      ),
    ),
  );
}

const headCell = (text) => h("th", { scope: "col" }, text);

/** A value can be a whole object. */
const maxValue = 400;

function termRow(term) {
  const value = term.value.length > maxValue ? `${term.value.slice(0, maxValue)}…` : term.value;
  const kind = term.failed || term.value === "false" ? "bad" : term.value === "true" ? "good" : "";
  return h(
    "tr",
    { class: kind },
    h("td", {}, h("code", {}, term.text)),
    h("td", {}, h("code", {}, value)),
  );
}
