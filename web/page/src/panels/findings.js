import { count, h } from "../dom.js";
import { findingCard } from "../finding.js";

/** The most findings that are listed. */
const maxListed = 200;

/** Errors are listed before warnings, and those before what is tolerated. */
const ranks = { error: 0, warning: 1, tolerated: 2 };

/** Lists the findings on the definition and on the object. */
export function findingsPanel(shown) {
  const of = (name, results) =>
    results.flatMap((result) => result.findings ?? []).map((finding) => ({ name, finding }));
  const found = [...of("definition", shown.definitions), ...of("object", shown.objects)];
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
