import { count, h } from "../dom.js";
import { findingCard } from "../finding.js";

/** The most findings that are listed. */
const maxListed = 200;

/** Lists the findings on the definition and on the object. */
export function findingsPanel(shown) {
  const cards = [
    ...shown.definitions.flatMap((result) => cardsOf(result, "definition", shown)),
    ...shown.objects.flatMap((result) => cardsOf(result, "object", shown)),
  ];
  const notes = [...shown.definitions, ...shown.objects].flatMap((result) => result.notes ?? []);
  const more = cards.length - maxListed;
  return [
    ...notes.map((note) => h("p", { class: "note" }, note)),
    ...cards.slice(0, maxListed).map((card) => card()),
    more > 0 ? h("p", { class: "note" }, `${count(more, "more finding")}.`) : "",
    cards.length ? "" : h("p", { class: "empty" }, "The server finds nothing to complain of."),
  ];
}

function cardsOf(result, name, shown) {
  return (result.findings ?? []).map(
    (finding) => () =>
      findingCard(finding, { in: name, goTo: () => shown.goTo(name, finding) }),
  );
}
