import { h } from "../dom.js";
import { ruleLink } from "../finding.js";
import { judgeRequest } from "../judge.js";
import { findingsOf, named, ofDefinitions, worst } from "../results.js";

/** Compares the verdicts of all Kubernetes minors. A signal stops it. */
export async function minorsPanel(shown, signal) {
  const rows = [];
  for (const kubernetes of (await shown.kubernetes()).toReversed()) {
    const answer = await shown.request(judgeRequest({ ...shown.state, kubernetes }), signal);
    const verdict = verdictOf(answer);
    const newer = rows.at(-1);
    if (newer?.verdict.key === verdict.key) newer.oldest = kubernetes;
    else rows.push({ newest: kubernetes, oldest: kubernetes, verdict });
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
        h("tbody", {}, rows.map(rowOf)),
      ),
    ),
  ];
}

const headCell = (text) => h("th", { scope: "col" }, text);

/** Returns what a row shows of an answer, with a key that equal verdicts share. */
function verdictOf({ definitions, objects }) {
  const error = findingsOf([...definitions, ...objects]).find(
    (finding) => finding.severity === "error",
  );
  const verdicts = [worst(ofDefinitions(definitions)), worst(objects)];
  const text = error?.text.slice(0, 160) ?? "";
  return { verdicts, text, rule: error?.rule, key: JSON.stringify([verdicts, text, error?.rule]) };
}

/** Returns the row of neighbouring minors with one verdict. */
function rowOf({ newest, oldest, verdict: { verdicts, text, rule } }) {
  const link = rule && ruleLink(rule);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, newest === oldest ? newest : `${oldest} to ${newest}`),
    verdicts.map(verdictCell),
    h(
      "td",
      {},
      `${text} `,
      link ? h("a", { href: link, target: "_blank", rel: "noopener" }, rule) : "",
    ),
  );
}

function verdictCell(verdict) {
  const badge = verdict ? named(verdict) : "empty";
  return h("td", {}, h("span", { class: `badge ${verdict ?? "empty"}` }, badge));
}
