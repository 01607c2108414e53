import { h } from "./dom.js";
import { apply } from "./help.js";

/**
 * Returns an element with buttons that fix a finding. They are sought when the element is shown,
 * in a list when the finding is chosen: each fix is tried, which takes long in large texts.
 *
 * @param {import("@codemirror/view").EditorView} view
 * @param {{line?: number, text: string}} finding
 * @param {(place: {line: number, last: number}) => Promise<any>} ask asks the library for actions
 */
export function fixesOf(view, finding, ask) {
  const box = h("div", { class: "fixes" });
  let sought = false;
  const seek = async () => {
    if (sought || !finding.line) return;
    sought = true;
    const { doc } = view.state;
    const waiting = setTimeout(() => box.replaceChildren("Looking for fixes…"), 300);
    const line = finding.line - 1;
    const answer = await ask({ line, last: line });
    clearTimeout(waiting);
    const isOld = view.state.doc !== doc;
    const found = (answer?.actions ?? []).filter((action) => fixes(action, finding));
    box.replaceChildren(...(isOld ? [] : found.map((action) => button(view, action))));
  };
  requestAnimationFrame(() => {
    const item = box.closest(".cm-panel-lint li");
    if (!item) return seek();
    const isChosen = () => item.getAttribute("aria-selected") === "true";
    const whenChosen = () => isChosen() && seek();
    new MutationObserver(whenChosen).observe(item, { attributeFilter: ["aria-selected"] });
    whenChosen();
  });
  return box;
}

/** Reports whether an action fixes a finding. One that only writes to ignore it does not. */
const fixes = (action, { line, text }) =>
  action.fixes?.message === text &&
  action.fixes.range.start.line + 1 === line &&
  !action.edits.some((edit) => edit.text.includes("crdsem:ignore"));

function button(view, action) {
  const onclick = (event) => {
    event.preventDefault();
    apply(view, action);
  };
  return h("button", { type: "button", class: "cm-diagnosticAction", onclick }, action.title);
}
