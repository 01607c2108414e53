import { count, h } from "../dom.js";

/** The most fields of a version that are shown. */
const maxShown = 500;

/** Shows what may be written: the fields of each version, what is tested, and what may change. */
export async function descriptionPanel(shown, signal) {
  const request = { op: "describe", definitions: shown.state.definition };
  const { versions } = await shown.request(request, signal);
  if (!versions.length) {
    return [h("p", { class: "empty" }, "There is no definition that can be compiled.")];
  }
  return versions.map((version, i) =>
    h(
      "details",
      { class: "description", open: i === ofObject(shown, versions) },
      h("summary", {}, h("h3", {}, `${version.kind} ${version.group}/${version.name}`)),
      version.text ? h("p", {}, version.text) : "",
      h("p", { class: "note" }, version.about),
      fieldTable(version),
      rulesOf(version),
      h("h4", {}, "Updates"),
      h(
        "ul",
        {},
        version.updates.map(({ path, text }) =>
          h("li", {}, path ? h("code", {}, path) : "", ` ${text}`),
        ),
      ),
      h("h4", {}, "Unknown fields"),
      h("p", {}, version.unknown),
    ),
  );
}

/** Returns the index of the version of the first object, or else of the first version. */
function ofObject({ objects }, versions) {
  const own = objects[0]?.apiVersion;
  return Math.max(
    versions.findIndex(({ group, name }) => `${group}/${name}` === own),
    0,
  );
}

function fieldTable({ fields, kind, group, name }) {
  if (!fields.length) return h("p", { class: "empty" }, "No field is declared.");
  const more = fields.length - maxShown;
  const label = `The fields of ${kind} ${group}/${name}`;
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["Field", "Type", "Values", "Description"].map(headCell))),
      h("tbody", {}, fields.slice(0, maxShown).map(fieldRow)),
    ),
    more > 0 ? h("p", { class: "note" }, `${count(more, "more field")}.`) : "",
  );
}

const headCell = (text) => h("th", { scope: "col" }, text);

const fieldRow = ({ path, type, facts = [], text = "" }) =>
  h(
    "tr",
    {},
    h("td", {}, h("code", {}, path)),
    h("td", {}, type),
    h("td", {}, facts.join("; ")),
    h("td", {}, text),
  );

function rulesOf({ rules }) {
  if (!rules.length) return "";
  return [
    h("h4", {}, "Rules"),
    h(
      "ul",
      {},
      rules.map(({ path, rule, message = "" }) =>
        h(
          "li",
          {},
          h("code", {}, path),
          " ",
          h("code", { class: "rule-text" }, rule),
          ` ${message}`,
        ),
      ),
    ),
  ];
}
