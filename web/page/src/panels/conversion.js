import { count, h } from "../dom.js";
import { newViewer } from "../editor.js";

/** Shows the first object in every version of its definition. */
export async function conversionPanel(shown, signal) {
  const objects = shown.objects.filter((result) => result.stored);
  if (!objects.length)
    return [h("p", { class: "empty" }, "There is no object that could be converted.")];
  const request = { op: "conversions", definitions: shown.state.definition };
  const { versions } = await shown.request({ ...request, object: objects[0].stored }, signal);
  const more = objects.length > 1;
  return [
    more && h("p", { class: "note" }, `The first of ${count(objects.length, "object")} is shown.`),
    h(
      "div",
      { class: "columns" },
      versions.map((version) => {
        const text = h("div", { class: "viewer" });
        if (version.text) newViewer(text, `The object in version ${version.name}`, version.text);
        else text.append(h("p", { class: "empty" }, version.error));
        return h("div", {}, h("h3", {}, version.name, " ", h("small", {}, roles(version))), text);
      }),
    ),
  ].filter(Boolean);
}

function roles(version) {
  const list = [];
  if (version.storage) list.push("stored");
  list.push(version.served ? "served" : "not served");
  return list.join(", ");
}
