import { h } from "../dom.js";
import { newViewer } from "../editor.js";

/** Shows the first object in every version of its definition. */
export async function conversionPanel(shown) {
  const object = shown.objects.find((result) => result.stored);
  if (!object) return [h("p", { class: "empty" }, "There is no object that could be converted.")];
  const { versions } = await shown.request({
    op: "conversions",
    definitions: shown.state.definition,
    object: object.stored,
  });
  return [
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
  ];
}

function roles(version) {
  const list = [];
  if (version.storage) list.push("stored");
  list.push(version.served ? "served" : "not served");
  return list.join(", ");
}
