import { byId, count, h } from "./dom.js";
import { goTo, newEditor, setText, showFindings, showMarks } from "./editor.js";
import { examples } from "./examples.js";
import { findingCard } from "./finding.js";
import { Judge } from "./judge.js";
import { findingsOf, named, ofDefinitions, worst } from "./results.js";
import { packed, unpacked } from "./share.js";
import { Tabs } from "./tabs.js";
import { headline, pageTabs } from "./verdict.js";

const editors = {
  definition: editor("definition", "Definition, in YAML"),
  object: editor("object", "Object, in YAML"),
  old: editor("old", "Stored object, in YAML"),
};
const tabs = new Tabs(byId("tabs"), byId("panel"), pageTabs);
let judge;
let latest = {}; // the state that was shown last
let slow; // the timer of the verdict that is asked for

/** A verdict that takes longer than this is said to be under way, in milliseconds. */
const patience = 300;

function editor(name, label) {
  const ask = (want, place) => asked(name, want, place);
  return newEditor(byId(name), { label, onChange: edited, ask });
}

/** Asks the library about a text. A question that it cannot answer has no answer. */
async function asked(name, want, place) {
  const { kubernetes, definition, object, old } = state();
  const texts = { definition, object, old };
  return judge
    ?.request({ op: "edit", kubernetes, texts, in: name, want, ...place })
    .catch(() => {});
}

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
function show(next, example) {
  latest = next;
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
  byId("example").value = example;
}

function choose(id, value) {
  const select = byId(id);
  if ([...select.options].some((option) => option.value === value)) select.value = value;
}

/** Notices a change of what an example has. */
function edited() {
  byId("example").value = "";
  changed();
}

/** Notices any change. */
function changed() {
  byId("notice").hidden = true;
  byId("old-pane").hidden = request() === "create";
  tabs.stop();
  judge?.changed();
}

/** Shows that a verdict is under way if it takes long. */
function asking() {
  slow ??= setTimeout(() => {
    byId("results").setAttribute("aria-busy", "true");
    byId("time").textContent = "checking…";
  }, patience);
}

/** Shows the answer to a request about a state. */
function answered(answer, asked, milliseconds) {
  mark(answer);
  // The first verdict takes long, because the browser compiles what it needs.
  const { dataset } = byId("results");
  say(headline(answer), dataset.judged ? `${milliseconds.toFixed(1)} ms` : "");
  dataset.judged = "true";
  tabs.show({
    ...answer,
    state: asked,
    request: (members) => judge.request({ kubernetes: asked.kubernetes, ...members }),
    kubernetes: judge.kubernetes,
    goTo: (name, place) => goTo(editors[name], place),
  });
}

/** Shows why there is no answer, and nothing of the one before. */
function failed(error) {
  mark({ definitions: [], objects: [] });
  delete byId("results").dataset.judged;
  for (const id of ["definition-state", "object-state"]) byId(id).textContent = "";
  say({ kind: "unreadable", title: "No verdict.", rest: String(error.message ?? error) }, "");
  tabs.clear("There is no verdict.");
}

/** Marks in the editors and above them what was found. */
function mark({ definitions, objects }) {
  underline("definition", findingsOf(definitions));
  underline("object", findingsOf(objects));
  showMarks(editors.object, objects.flatMap(sentMarks));
  badge("definition-state", ofDefinitions(definitions));
  badge("object-state", objects);
}

/** Underlines findings, and then offers what fixes them, if the text is still the same. */
async function underline(name, found) {
  const view = editors[name];
  const findings = found.map((finding) => ({
    ...finding,
    render: () => findingCard(finding, { in: name }),
  }));
  showFindings(view, findings);
  if (findings.length === 0) return;
  const { doc } = view.state;
  const answer = await asked(name, "actions", { line: 0, column: 0 });
  const actions = (answer?.actions ?? []).filter(({ edits }) => !edits.some(isIgnore));
  if (actions.length > 0 && view.state.doc === doc) showFindings(view, findings, actions);
}

/** Reports whether an edit only writes that a finding is left out. */
const isIgnore = ({ text }) => text.includes("crdsem:ignore");

/** Shows a verdict. Only its sentences are announced, and only if they are others than before. */
function say({ kind, title, rest }, time) {
  clearTimeout(slow);
  slow = undefined;
  byId("results").removeAttribute("aria-busy");
  byId("verdict").className = `verdict ${kind}`;
  byId("time").textContent = time;
  const sentences = byId("headline");
  if (sentences.textContent === `${title} ${rest}`) return;
  sentences.replaceChildren(h("strong", {}, title), ` ${rest}`);
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
  const verdict = worst(results);
  element.textContent = verdict ? named(verdict) : "empty";
  element.className = `badge ${verdict ?? "empty"}`;
  element.title = count(results.length, "document");
}

async function share() {
  const button = byId("share");
  history.replaceState(null, "", `#s=${await packed(state())}`);
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Link copied";
  } catch {
    button.textContent = "Link is in the address bar";
  }
  byId("said").textContent = button.textContent;
  setTimeout(() => {
    button.textContent = "Share link";
    byId("said").textContent = "";
  }, 2500);
}

/** Returns the state of the link and the name of its example; undefined for a link without. */
async function linked() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const text = parameters.get("s");
  const example = parameters.get("example");
  if (text !== null) {
    const state = await unpacked(text).catch(() => {
      throw new Error("The link is damaged: nothing of it is shown.");
    });
    return { state, example: "" };
  }
  if (example === null) return undefined;
  if (!Object.hasOwn(examples, example)) throw new Error(`There is no example “${example}”.`);
  return { state: examples[example].state, example };
}

/** Shows what the link says. The texts of a user stay if it says nothing, or if it is damaged. */
async function follow() {
  const { hash } = location;
  let found;
  let problem;
  try {
    found = await linked();
  } catch (error) {
    problem = error.message;
  }
  if (hash !== location.hash) return; // a later link is followed
  const isEmpty = Object.values(editors).every((view) => view.state.doc.length === 0);
  const [[example, { state }]] = Object.entries(examples);
  if (!found && isEmpty) found = { state, example };
  if (found) show(found.state, found.example);
  byId("problem").textContent = problem ?? "";
  byId("notice").hidden = !problem;
}

function listen() {
  byId("example").addEventListener("change", ({ target }) => {
    const example = examples[target.value];
    if (example) show(example.state, target.value);
  });
  byId("minor").addEventListener("change", changed);
  byId("validation").addEventListener("change", changed);
  for (const input of document.querySelectorAll("input[name=request]")) {
    input.addEventListener("change", edited);
  }
  byId("share").addEventListener("click", share);
  byId("dismiss").addEventListener("click", () => {
    byId("notice").hidden = true;
    editors.definition.focus();
  });
  window.addEventListener("hashchange", follow);
}

async function start() {
  byId("example").append(
    h("option", { value: "" }, "your own"),
    ...Object.entries(examples).map(([name, { title }]) => h("option", { value: name }, title)),
  );
  listen();
  await follow();
  const library = await globalThis.crdsemLibrary;
  performance.measure("ready", { start: 0 }); // since the navigation
  judge = new Judge(library, { state, asking, answered, failed });
  const newestFirst = judge.kubernetes.toReversed();
  byId("minor").append(
    h("option", { value: "" }, "newest release"), // a list of minors can begin with a beta
    ...newestFirst.map((minor) => h("option", { value: minor }, minor)),
  );
  choose("minor", latest.kubernetes); // the minors were not known before
  judge.ask();
}

start().catch(failed);
