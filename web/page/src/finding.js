import ruleFiles from "rule-files";
import { h, prose } from "./dom.js";

/** Returns the page of a rule of the specification, e.g. spec/pruning.html#PRN-003. */
export function ruleLink(rule) {
  const file = ruleFiles[rule.split("-")[0]];
  return file && `spec/${file}#${rule}`;
}

/** A text of the server can show a whole object. */
const maxText = 700;

function short(text) {
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}

/** Returns a finding with its hint, its place and its rule. */
export function findingCard(finding, where) {
  const link = finding.rule && ruleLink(finding.rule);
  const place = finding.line ? `${where.in}, line ${finding.line}` : where.in;
  return h(
    "div",
    { class: `finding ${finding.severity}` },
    h(
      "p",
      { class: "finding-head" },
      h("span", { class: "severity" }, finding.severity),
      where.goTo && finding.line
        ? h("button", { type: "button", class: "place", onclick: where.goTo }, place)
        : h("span", { class: "place" }, place),
      link &&
        h("a", { href: link, class: "rule", target: "_blank", rel: "noopener" }, finding.rule),
    ),
    h("p", { class: "finding-text" }, short(finding.text)),
    finding.hint && h("p", { class: "hint" }, h("span", {}, "Hint: "), prose(short(finding.hint))),
  );
}
