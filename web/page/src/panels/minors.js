import { h } from "../dom.js";
import { ruleLink } from "../finding.js";
import { judgeRequest } from "../judge.js";
import { findingsOf, named, ofDefinitions, worst } from "../results.js";

/** Compares the verdicts of all Kubernetes minors. A signal stops it between two of them. */
export async function minorsPanel(shown, signal) {
  const rows = [];
  for (const kubernetes of shown.kubernetes.toReversed()) {
    signal.throwIfAborted();
    const answer = await shown.request(judgeRequest({ ...shown.state, kubernetes }));
    rows.push(rowOf(kubernetes, answer));
  }
  return [
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Verdicts of all minors" },
      h(
        "table",
        { class: "minors" },
        h("caption", { class: "hidden" }, "Verdicts of all Kubernetes minors"),
        h(
          "thead",
          {},
          h("tr", {}, ["Kubernetes", "Definition", "Object", "First error"].map(headCell)),
        ),
        h("tbody", {}, rows),
      ),
    ),
  ];
}

const headCell = (text) => h("th", { scope: "col" }, text);

function rowOf(kubernetes, { definitions, objects }) {
  const errors = findingsOf([...definitions, ...objects]).filter(
    (finding) => finding.severity === "error",
  );
  const link = errors[0]?.rule && ruleLink(errors[0].rule);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, kubernetes),
    verdictCell(ofDefinitions(definitions)),
    verdictCell(objects),
    h(
      "td",
      {},
      errors[0] ? `${errors[0].text.slice(0, 160)} ` : "",
      link ? h("a", { href: link, target: "_blank", rel: "noopener" }, errors[0].rule) : "",
    ),
  );
}

function verdictCell(results) {
  const verdict = worst(results);
  const badge = verdict ? named(verdict) : "empty";
  return h("td", {}, h("span", { class: `badge ${verdict ?? "empty"}` }, badge));
}
