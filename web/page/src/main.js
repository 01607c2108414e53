import { byId, count, h } from "./dom.js";
import { goTo, newEditor, setText, showFindings, showMarks } from "./editor.js";
import { examples } from "./examples.js";
import { findingCard } from "./finding.js";
import { Judge } from "./judge.js";
import { packed, unpacked } from "./share.js";
import { Tabs } from "./tabs.js";
import { headline, pageTabs } from "./verdict.js";

const editors = {
  definition: newEditor(byId("definition"), { label: "Definition, in YAML", onChange: changed }),
  object: newEditor(byId("object"), { label: "Object, in YAML", onChange: changed }),
  old: newEditor(byId("old"), { label: "Stored object, in YAML", onChange: changed }),
};
const tabs = new Tabs(byId("tabs"), byId("panel"), pageTabs);
let judge;

function request() {
  return document.querySelector("input[name=request]:checked")?.value ?? "create";
}

/** Returns all that the page shows a verdict on. */
function state() {
  return {
    definition: editors.definition.state.doc.toString(),
    object: editors.object.state.doc.toString(),
    old: editors.old.state.doc.toString(),
    request: request(),
    kubernetes: byId("minor").value,
    validation: byId("validation").value,
  };
}

/** Shows a state, e.g. that of a link. What it lacks stays as it is. */
function show(next) {
  for (const [name, view] of Object.entries(editors)) {
    if (typeof next[name] === "string") setText(view, next[name]);
  }
  choose("minor", next.kubernetes);
  choose("validation", next.validation);
  const radio = [...document.querySelectorAll("input[name=request]")].find(
    (input) => input.value === (next.request ?? "create"),
  );
  if (radio) radio.checked = true;
  changed();
}

function choose(id, value) {
  const select = byId(id);
  if ([...select.options].some((option) => option.value === value)) select.value = value;
}

function changed() {
  byId("old-pane").hidden = request() === "create";
  judge?.changed();
}

/** Shows the answer to a request about a state. */
function answered(answer, asked, milliseconds) {
  const shown = { ...answer, state: asked, milliseconds };
  const inText = (name) => (finding) => ({
    ...finding,
    render: () => findingCard(finding, { in: name }),
  });
  const definition = answer.definitions.flatMap((result) => result.findings ?? []);
  const object = answer.objects.flatMap((result) => result.findings ?? []);
  showFindings(editors.definition, definition.map(inText("definition")));
  showFindings(editors.object, object.map(inText("object")));
  showMarks(editors.object, answer.objects.flatMap(sentMarks));
  badge("definition-state", answer.definitions);
  badge("object-state", answer.objects);
  const { kind, text } = headline(shown);
  const verdict = byId("verdict");
  verdict.className = `verdict ${kind}`;
  verdict.replaceChildren(...text);
  tabs.show({
    ...shown,
    request: (members) => judge.request({ kubernetes: asked.kubernetes, ...members }),
    kubernetes: judge.kubernetes,
    goTo: (name, place) => goTo(editors[name], place),
  });
}

const removed = { Pruned: "pruned", MetadataPruned: "pruned", NullDropped: "null dropped" };

/** Returns the marks of the lines that the server removes or rewrites. */
function sentMarks(object) {
  return (object.marks ?? [])
    .filter((mark) => mark.sent)
    .map((mark) => {
      const label = removed[mark.action];
      if (label) return { line: mark.sent, kind: "removed", label };
      if (mark.action === "StatusDropped") {
        return { line: mark.sent, kind: "removed", label: "not stored" };
      }
      return { line: mark.sent, kind: "coerced", label: "coerced" };
    });
}

function badge(id, results) {
  const element = byId(id);
  const verdicts = new Set(results.map((result) => result.verdict));
  const worst = ["unreadable", "refused", "notJudged", "accepted"].find((v) => verdicts.has(v));
  const words = { notJudged: "not judged" };
  element.textContent = worst ? (words[worst] ?? worst) : "empty";
  element.className = `badge ${worst ?? "empty"}`;
  element.title = count(results.length, "document");
}

function failed(error) {
  const verdict = byId("verdict");
  verdict.className = "verdict unreadable";
  verdict.replaceChildren(h("strong", {}, "No verdict. "), String(error.message ?? error));
}

async function share() {
  const button = byId("share");
  location.hash = `s=${await packed(state())}`;
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Link copied";
  } catch {
    button.textContent = "Link is in the address bar";
  }
  setTimeout(() => (button.textContent = "Share link"), 2500);
}

/** Returns the state of the link, or that of the first example. */
async function initial() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const shared = parameters.get("s");
  if (shared) {
    try {
      const state = await unpacked(shared);
      byId("example").value = "";
      return state;
    } catch {
      failed(new Error("The link is damaged: the first example is shown instead."));
    }
  }
  const name = Object.hasOwn(examples, parameters.get("example") ?? "")
    ? parameters.get("example")
    : Object.keys(examples)[0];
  byId("example").value = name;
  return examples[name].state;
}

function listen() {
  byId("example").addEventListener("change", (event) => {
    const chosen = examples[event.target.value];
    if (chosen) show(chosen.state);
  });
  byId("minor").addEventListener("change", changed);
  byId("validation").addEventListener("change", changed);
  for (const input of document.querySelectorAll("input[name=request]")) {
    input.addEventListener("change", changed);
  }
  byId("share").addEventListener("click", share);
  window.addEventListener("hashchange", async () => {
    if (location.hash.startsWith("#s=")) show(await initial());
  });
}

async function start() {
  byId("example").append(
    h("option", { value: "" }, "your own"),
    ...Object.entries(examples).map(([name, { title }]) => h("option", { value: name }, title)),
  );
  listen();
  const first = await initial();
  show(first);
  const library = await globalThis.crdsemLibrary;
  performance.measure("ready", { start: 0 }); // since the navigation
  judge = new Judge(library, { state, answered, failed });
  const newestFirst = judge.kubernetes.toReversed();
  byId("minor").append(...newestFirst.map((minor) => h("option", { value: minor }, minor)));
  choose("minor", first.kubernetes); // the minors were not known before
  judge.ask();
}

start().catch(failed);
