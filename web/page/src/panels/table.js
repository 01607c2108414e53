import { h } from "../dom.js";

/** Shows the tables that kubectl prints: one for each version of each kind. */
export async function tablePanel(shown) {
  const stored = shown.objects.filter((object) => object.stored);
  if (!stored.length) {
    return [h("p", { class: "empty" }, "There is no object that could be listed.")];
  }
  const groups = [...groupedBy(stored, titleOf).entries()];
  const tables = [];
  for (const [title, objects] of groups) {
    const table = await tableOf(objects, shown);
    tables.push(element(table, groups.length > 1 ? `: ${title}` : ""));
  }
  const note = "An age needs metadata.creationTimestamp, which the server sets.";
  return [...tables, h("p", { class: "note" }, note)];
}

/** Returns the version and kind of an object, e.g. "example.com/v1 Pizza". */
const titleOf = ({ apiVersion, kind }) => `${apiVersion} ${kind}`;

function groupedBy(list, key) {
  const groups = new Map();
  for (const value of list) {
    if (!groups.has(key(value))) groups.set(key(value), []);
    groups.get(key(value)).push(value);
  }
  return groups;
}

/** Returns the columns and rows of objects of one version and kind. */
function tableOf(objects, shown) {
  return shown.request({
    op: "table",
    crd: definitionOf(objects[0], shown),
    version: objects[0].version,
    objects: objects.map((object) => object.answered ?? object.stored), // in that version
    now: new Date().toISOString(),
  });
}

/** Returns the text of the definition of an object: the last one of its group and kind. */
function definitionOf({ apiVersion, kind }, { models, definitions, state }) {
  const [group] = apiVersion.split("/");
  const model = models.findLast((model) => model.group === group && model.kind === kind);
  const own = definitions.findLast(({ name = "" }) => name === model.name);
  return own ? documentAt(own.line, definitions, state.definition) : state.definition;
}

/** Returns the text of the document that starts in a line. */
function documentAt(line, documents, text) {
  const next = documents.map((other) => other.line).filter((start) => start > line);
  const lines = text.split("\n").slice(line - 1, Math.min(...next) - 1);
  const end = lines.findIndex((text, i) => i > 0 && /^(---|\.\.\.)(\s|$)/.test(text));
  return (end < 0 ? lines : lines.slice(0, end)).join("\n");
}

function element({ columns, rows }, title) {
  const region = {
    tabindex: "0",
    role: "region",
    "aria-label": `The table of kubectl get${title}`,
  };
  return h(
    "div",
    { class: "scroll", ...region },
    h(
      "table",
      { class: "kubectl" },
      h("caption", {}, `kubectl get -o wide${title}`),
      h("thead", {}, h("tr", {}, columns.map(headCell))),
      h("tbody", {}, rows.map(rowOf)),
    ),
  );
}

function headCell({ name, description, priority }) {
  const wide = priority > 0 ? "wide" : undefined;
  return h("th", { scope: "col", title: description, class: wide }, name);
}

const rowOf = (row) =>
  h(
    "tr",
    {},
    row.map((cell) => h("td", {}, cellText(cell))),
  );

function cellText(cell) {
  if (cell === null || cell === undefined) return "<none>";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
