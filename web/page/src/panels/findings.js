import { count, h } from "../dom.js";
import { findingCard } from "../finding.js";
import { whyNoDefinition, whyNotJudged } from "../results.js";

/** The most findings that are listed. */
const maxListed = 200;

/** Errors are listed before warnings, and what is a mere fact comes last. */
const ranks = { error: 0, warning: 1, tolerated: 2, "not judged": 3 };

/** Lists the findings on the definition and on the object. */
export function findingsPanel(shown) {
  const found = [
    ...shown.definitions.flatMap((result) => listed("definition", result, whyNoDefinition)),
    ...shown.objects.flatMap((result) => listed("object", result, whyNotJudged)),
  ];
  found.sort((a, b) => ranks[a.finding.severity] - ranks[b.finding.severity]);
  const notes = [...shown.definitions, ...shown.objects].flatMap((result) => result.notes ?? []);
  const more = found.length - maxListed;
  return [
    ...notes.map((note) => h("p", { class: "note" }, note)),
    ...found
      .slice(0, maxListed)
      .map(({ name, finding }) =>
        findingCard(finding, { in: name, goTo: () => shown.goTo(name, finding) }),
      ),
    more > 0 ? h("p", { class: "note" }, `${count(more, "more finding")}.`) : "",
    found.length ? "" : h("p", { class: "empty" }, "The server finds nothing to complain of."),
  ];
}

/** Returns the findings of a result, and why it was not judged. */
function listed(name, result, why) {
  const findings = [...(result.findings ?? [])];
  if (result.verdict === "notJudged" && why(result)) {
    findings.push({ severity: "not judged", line: result.line, text: why(result) });
  }
  return findings.map((finding) => ({ name, finding }));
}
