import { count, h } from "../dom.js";
import { newViewer } from "../editor.js";
import { howJudged, whyNotJudged } from "../results.js";

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

/** The most objects that are shown. */
const maxShown = 20;

/** Shows each object as it is stored, with what the server changed. */
export function storedPanel(shown) {
  const { objects } = shown;
  if (!objects.length) return [h("p", { class: "empty" }, "There is no object.")];
  const parts = objects.slice(0, maxShown).flatMap((object) => {
    const name = objects.length > 1 ? nameOf(object) : "";
    return object.stored ? partOf(object, shown, name) : unstored(object, name);
  });
  if (objects.length <= maxShown) return parts;
  const note = `The first ${maxShown} of ${count(objects.length, "object")} are shown.`;
  return [h("p", { class: "note" }, note), ...parts];
}

/** Returns the name of an object among others, e.g. "CronTab nightly". */
const nameOf = ({ kind = "", name = "" }) => `${kind} ${name}`.trim();

/** Returns why there is nothing stored. */
function unstored(object, name) {
  const texts = {
    refused: howJudged(object) || "The object is refused before it is decoded.",
    accepted: howJudged(object),
    unreadable: "The text cannot be read.",
    notJudged: `The object is not judged. ${whyNotJudged(object)}`,
  };
  const text = h("p", { class: "empty" }, texts[object.verdict]);
  return name ? [h("h3", {}, name), text] : [text];
}

function partOf(object, shown, name) {
  const text = h("div", { class: "viewer" });
  const marks = (object.marks ?? []).filter((mark) => mark.stored);
  newViewer(
    text,
    `${name || "The object"} as the server stores it, in YAML`,
    object.stored,
    marks.map((mark) => ({ line: mark.stored, ...markOf(mark.action) })),
  );
  return h("div", { class: "columns" }, [
    h("div", {}, h("h3", {}, heading(object), " ", h("small", {}, name)), text),
    h("div", {}, h("h3", {}, "What the server changed"), changesOf(object, shown)),
  ]);
}

const heading = (object) =>
  object.verdict === "accepted" ? "Stored" : "Would be stored, if it were valid";

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
