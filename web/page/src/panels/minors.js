import { h } from "../dom.js";
import { ruleLink } from "../finding.js";
import { judgeRequest } from "../judge.js";

/** Compares the verdicts of all Kubernetes minors. */
export async function minorsPanel(shown) {
  const rows = [];
  for (const kubernetes of shown.kubernetes.toReversed()) {
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
  const errors = [...definitions, ...objects]
    .flatMap((result) => result.findings ?? [])
    .filter((finding) => finding.severity === "error");
  const link = errors[0]?.rule && ruleLink(errors[0].rule);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, kubernetes),
    verdictCell(definitions),
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
  const refused = results.find((result) => result.verdict !== "accepted");
  const verdict = refused?.verdict ?? (results.length ? "accepted" : "empty");
  return h("td", {}, h("span", { class: `badge ${verdict}` }, verdict));
}
