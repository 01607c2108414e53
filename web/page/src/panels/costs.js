import { h } from "../dom.js";

/** Shows the estimated costs of the rules against their limits, with the bounds that would fit. */
export async function costsPanel(shown, signal) {
  const request = { op: "costs", definitions: shown.state.definition };
  const { tables, ruleLimit } = await shown.request(request, signal);
  if (!tables.some((table) => table.rules.length)) {
    return [h("p", { class: "empty" }, "The definition has no rules in CEL.")];
  }
  const isOne = new Set(tables.map((table) => table.definition)).size === 1;
  return tables
    .filter((table) => table.rules.length)
    .map((table) => tableOf(table, ruleLimit, isOne ? "" : `${table.definition}, `));
}

/** Returns the costs of a version. The prefix of its title names its definition. */
function tableOf(table, ruleLimit, prefix) {
  const share = table.total / table.limit;
  return h(
    "section",
    { class: "costs" },
    h("h3", {}, prefix, `${prefix ? "version" : "Version"} ${table.version}`),
    h(
      "div",
      { class: "cost total" },
      h("p", {}, "All rules of the schema together"),
      bar(share, `All rules of ${prefix}version ${table.version}`),
      h("p", { class: "figure" }, `${percent(share)} of ${amount(table.limit)}`),
    ),
    table.rules.map((rule) => ruleOf(rule, ruleLimit)),
  );
}

function ruleOf(rule, ruleLimit) {
  const cost = Math.max(rule.total, rule.messageCost);
  const share = cost / ruleLimit;
  const times = timesOf(rule.cardinality);
  return h(
    "div",
    { class: "cost" },
    h("p", {}, h("code", { class: "rule-text" }, rule.rule)),
    h("p", { class: "path" }, `${rule.path}, rule ${rule.index}`),
    bar(share, `Rule ${rule.index} at ${rule.path}`),
    h(
      "p",
      { class: "figure" },
      `${percent(share)} of ${amount(ruleLimit)}: `,
      `${amount(rule.maxCost)} each time, ${times}`,
    ),
    (rule.errors ?? []).map((error) => h("p", { class: "over" }, error.detail)),
    (rule.suggestion ?? []).length ? suggestionOf(rule.suggestion) : "",
  );
}

/** Returns how often a rule runs on one object. */
function timesOf(cardinality) {
  if (cardinality === null) return "any number of times";
  return cardinality === 1 ? "once" : `at most ${amount(cardinality)} times`;
}

function suggestionOf(edits) {
  const parts = edits.flatMap((edit, i) => [
    i ? " and " : "",
    h("code", {}, `${edit.keyword}: ${edit.value}`),
    " at ",
    h("code", {}, edit.path),
  ]);
  return h("p", { class: "hint" }, h("span", {}, "To fit: "), "set ", parts, ".");
}

/** Returns a bar of a share of a limit. Beyond the limit it is full and red. */
function bar(share, label) {
  const percentage = Math.min(share, 1) * 100;
  const fill = h("div", { class: share > 1 ? "fill over" : share > 0.5 ? "fill high" : "fill" });
  fill.style.inlineSize = `${Math.max(percentage, share > 0 ? 0.5 : 0)}%`;
  const meter = {
    role: "meter",
    "aria-label": label,
    "aria-valuemin": "0",
    "aria-valuemax": "100",
    "aria-valuenow": percentage.toFixed(1),
    "aria-valuetext": `${percent(share)} of the limit`,
  };
  return h("div", { class: "bar", ...meter }, fill);
}

const amount = (n) =>
  n.toLocaleString("en", {
    maximumSignificantDigits: n < 1e6 ? 6 : 3,
    ...(n < 1e6 ? {} : { notation: "compact", compactDisplay: "long" }),
  });

function percent(share) {
  if (share > 10) return `${amount(share)} times the limit`;
  if (share > 0 && share < 0.0001) return "less than 0.01 %";
  return `${(share * 100).toFixed(2)} %`;
}
