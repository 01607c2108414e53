import { count, h } from "../dom.js";
import { newViewer } from "../editor.js";

const actions = {
  Pruned: "removed: the schema does not specify it",
  MetadataPruned: "removed: metadata has no such field",
  MetadataCoerced: "rewritten in its normal form",
  NullDropped: "removed: null is not allowed here",
  Defaulted: "filled in by a default",
  StatusDropped: "not stored: the status is a subresource",
};

/** The most changes that are listed. */
const maxListed = 200;

/** Shows each object as it is stored, with what the server changed. */
export function storedPanel(shown) {
  if (!shown.objects.length) return [h("p", { class: "empty" }, "There is no object.")];
  return shown.objects.slice(0, 20).map((object) => {
    if (!object.stored) {
      return h("p", { class: "empty" }, "The object is refused before it is decoded.");
    }
    const text = h("div", { class: "viewer" });
    const marks = (object.marks ?? []).filter((mark) => mark.stored);
    newViewer(
      text,
      "The object as the server stores it, in YAML",
      object.stored,
      marks.map((mark) => ({ line: mark.stored, ...markOf(mark.action) })),
    );
    return h("div", { class: "columns" }, [
      h("div", {}, heading(object), text),
      h("div", {}, h("h3", {}, "What the server changed"), changesOf(object, shown)),
    ]);
  });
}

function heading(object) {
  const text = object.verdict === "accepted" ? "Stored" : "Would be stored, if it were valid";
  return h("h3", {}, text);
}

function markOf(action) {
  if (action === "Defaulted") return { kind: "added", label: "default" };
  return { kind: "coerced", label: action === "StatusDropped" ? "kept as it was" : "coerced" };
}

function changesOf(object, shown) {
  const marks = object.marks ?? [];
  if (!marks.length) return h("p", { class: "empty" }, "Nothing.");
  const more = marks.length - maxListed;
  return h(
    "ul",
    { class: "changes" },
    marks.slice(0, maxListed).map((mark) =>
      h(
        "li",
        { class: mark.action === "Defaulted" ? "added" : "removed" },
        h("code", {}, mark.path),
        h("span", {}, ` ${actions[mark.action]}`),
        mark.sent
          ? h(
              "button",
              {
                type: "button",
                class: "place",
                onclick: () => shown.goTo("object", { line: mark.sent }),
              },
              `line ${mark.sent}`,
            )
          : "",
        h("small", {}, mark.schema),
      ),
    ),
    more > 0 ? h("li", {}, `${count(more, "more change")}.`) : "",
  );
}
