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

const lost = "lost: the storage version does not have it";

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
    return object.stored ? partsOf(object, shown, name) : unstored(object, name);
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
    refused: howJudged(object) || "The object is refused: nothing is stored.",
    accepted:
      howJudged(object) || "A conversion webhook decides what is stored. The page does not ask it.",
    unreadable: "The text cannot be read.",
    notJudged: `The object is not judged. ${whyNotJudged(object)}`,
  };
  const text = h("p", { class: "empty" }, texts[object.verdict]);
  return name ? [h("h3", {}, name), text] : [text];
}

/** Returns what is stored, and what is answered and read if that is something else. */
function partsOf(object, shown, name) {
  const text = h("div", { class: "viewer" });
  const marks = (object.marks ?? []).filter((mark) => mark.stored);
  const what = `${name || "The object"} as the server stores it, in YAML`;
  const shownMarks = marks.map((mark) => ({ line: mark.stored, ...markOf(mark.action) }));
  newViewer(text, what, object.stored, shownMarks);
  const others = othersOf(object, name);
  const first = h("div", { class: "columns" }, [
    h("div", {}, h("h3", {}, "Stored", " ", h("small", {}, name)), text),
    h("div", {}, h("h3", {}, "What the server changed"), changesOf(object, shown)),
  ]);
  return others.length ? [first, h("div", { class: "columns" }, others)] : [first];
}

/** Returns what the client is answered, and what clients of other versions read. */
function othersOf(object, name) {
  const { answered, served = [], version } = object;
  const reads = served.map(({ version, text, error }) => [
    "Read by clients of",
    version,
    text,
    error,
  ]);
  if (answered) reads.unshift(["Answered to the client of", version, answered]);
  return reads.map(([title, of, text, error]) => {
    const place = h("div", { class: "viewer" });
    if (text) newViewer(place, `${name || "The object"}: ${title} ${of}`, text);
    else place.append(h("p", { class: "empty" }, error));
    return h("div", {}, h("h3", {}, `${title} ${of}`), place);
  });
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
        h("span", {}, ` ${mark.lost ? lost : actions[mark.action]}`),
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
