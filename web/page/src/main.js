import { byId, count, h } from "./dom.js";
import { goTo, newEditor, setText, showFindings, showMarks } from "./editor.js";
import { examples } from "./examples.js";
import { findingCard } from "./finding.js";
import { fixesOf } from "./fixes.js";
import { Judge } from "./judge.js";
import { loading } from "./loading.js";
import { forget, keep, kept } from "./kept.js";
import { findingsOf, named, ofDefinitions, worst } from "./results.js";
import { packed, unpacked } from "./share.js";
import { moveOf } from "./swap.js";
import { Tabs } from "./tabs.js";
import { headline, pageTabs } from "./verdict.js";
import exampleAnswers from "example-answers";

const editors = {
  definition: editor("definition", "Definition, in YAML"),
  object: editor("object", "Object, in YAML"),
  old: editor("old", "Stored object, in YAML"),
};
const tabs = new Tabs(byId("tabs"), byId("panel"), pageTabs);
let judge;
let latest = {}; // the state that was shown last
let isReady; // is called when the library has started
const ready = new Promise((resolve) => (isReady = resolve));
let slow; // the timer of the verdict that is asked for
let keeping; // the timer that keeps what was typed
let isKept = true;

/** A verdict that takes longer than this is said to be under way, in milliseconds. */
const patience = 150;

/** What is typed is kept when it rests this long, in milliseconds. */
const keepingPause = 300;

/** Chats and trackers cut addresses that are longer than this, in bytes. */
const longAddress = 8 << 10;

function editor(name, label) {
  const ask = (want, place) => asked(name, want, place);
  return newEditor(byId(name), { label, onChange: edited, ask });
}

let editing = new AbortController(); // of the questions about the texts as they are

/** A question about a text is given up after this time, in milliseconds. */
const editingLimit = 5000;

/**
 * Asks the library about a text. A question that it cannot answer, or not before the texts change,
 * has no answer.
 */
async function asked(name, want, place) {
  const { kubernetes, definition, object, old } = state();
  const texts = { definition, object, old };
  const question = { op: "edit", kubernetes, texts, in: name, want, ...place };
  // The editor goes on with completions that it asked for while one types.
  const { signal } = want === "completions" ? new AbortController() : editing;
  const own = new AbortController();
  const stop = () => own.abort();
  const limit = setTimeout(stop, editingLimit);
  signal.addEventListener("abort", stop);
  try {
    return await judge?.request(question, own.signal);
  } catch {
    return undefined;
  } finally {
    clearTimeout(limit);
    signal.removeEventListener("abort", stop);
  }
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
  keepSoon();
}

function choose(id, value) {
  const select = byId(id);
  if ([...select.options].some((option) => option.value === value)) select.value = value;
}

/** Notices a change of what an example has. */
function edited() {
  byId("example").value = "";
  changed();
  keepSoon();
}

/** Keeps what was typed when it rests. An example need not be kept. */
function keepSoon() {
  byId("clear").hidden = byId("example").value !== "";
  clearTimeout(keeping);
  isKept = false;
  keeping = setTimeout(keepNow, keepingPause);
}

function keepNow() {
  clearTimeout(keeping);
  if (isKept) return;
  if (byId("example").value === "") isKept = keep(state());
  else {
    forget();
    isKept = true;
  }
}

/** Forgets what was typed, and begins with the first example. */
function startOver() {
  history.replaceState(null, "", location.pathname + location.search);
  const [[example, { state }]] = Object.entries(examples);
  show(state, example);
  keepNow();
  editors.definition.focus();
}

/** Notices any change. */
function changed() {
  byId("notice").hidden = true;
  byId("old-pane").hidden = request() === "create";
  byId("results").dataset.stale = ""; // what is shown is about other texts
  tabs.stop();
  editing.abort();
  editing = new AbortController();
  judge?.changed();
}

/** Shows that a verdict is under way if it takes long. */
function asking() {
  slow ??= setTimeout(() => {
    byId("results").setAttribute("aria-busy", "true");
  }, patience);
}

/** Shows the answer to a request about a state. */
function answered(answer, asked, milliseconds) {
  // The first verdict takes long, because the browser compiles what it needs.
  const { dataset } = byId("results");
  display(answer, asked, dataset.judged ? `${milliseconds.toFixed(1)} ms` : "");
  dataset.judged = "true";
}

/** Shows the verdict on an example, which the build asked for, until the library has started. */
function showExample() {
  const name = byId("example").value;
  if (judge || !Object.hasOwn(examples, name)) return;
  display(exampleAnswers[name], { ...state(), kubernetes: "" }, "");
}

function display(answer, asked, time) {
  mark(answer);
  say(headline(answer), time);
  offerMove(moveOf(answer));
  tabs.show({
    ...answer,
    state: asked,
    request: async (members, signal) => {
      await ready;
      return judge.request({ kubernetes: asked.kubernetes, ...members }, signal);
    },
    kubernetes: async () => {
      await ready;
      return judge.kubernetes;
    },
    goTo: (name, place) => goTo(editors[name], place),
  });
}

/** Offers to move texts to where they belong. */
function offerMove(move) {
  const button = byId("move");
  button.hidden = !move;
  button.textContent = move?.title ?? "";
  button.onclick = () => {
    for (const [name, text] of Object.entries(move.moved(state()))) setText(editors[name], text);
    editors.object.focus();
  };
}

/** Shows why there is no answer, and nothing of the one before. */
function failed(error) {
  mark({ definitions: [], objects: [] });
  delete byId("results").dataset.judged;
  for (const id of ["definition-state", "object-state"]) byId(id).textContent = "";
  say({ kind: "unreadable", title: "No verdict.", rest: String(error.message ?? error) }, "");
  offerMove(undefined);
  loading(undefined);
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

/** Underlines findings. What fixes one is sought when it is shown. */
function underline(name, found) {
  const view = editors[name];
  const ask = (place) => asked(name, "actions", { column: 0, ...place });
  showFindings(
    view,
    found.map((finding) => ({
      ...finding,
      render: () => h("div", {}, findingCard(finding, { in: name }), fixesOf(view, finding, ask)),
    })),
  );
}

/** Shows a verdict. Only its sentences are announced, and only if they are others than before. */
function say({ kind, title, rest }, time) {
  clearTimeout(slow);
  slow = undefined;
  byId("results").removeAttribute("aria-busy");
  delete byId("results").dataset.stale;
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
      if (mark.lost) return { line: mark.sent, kind: "removed", label: "lost" };
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
  if (location.href.length >= longAddress) notice(lengthOf(location.href));
  isKept = false;
  keepNow(); // with the new fragment
  setTimeout(() => {
    button.textContent = "Share link";
    byId("said").textContent = "";
  }, 2500);
}

/** Says how long an address is. */
const lengthOf = ({ length }) =>
  `The link has ${Math.round(length / 1024)} KB: chats and trackers may cut it. ` +
  "A file with the two texts is safer.";

/** Shows a message below the top of the page; none for an empty text. */
function notice(text) {
  byId("problem").textContent = text;
  byId("notice").hidden = !text;
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
  const isEmpty = Object.values(editors).every((view) => view.state.doc.length === 0);
  const typed = isEmpty ? kept() : undefined;
  let found;
  let problem = "";
  try {
    if (typed?.hash !== hash) found = await linked();
  } catch (error) {
    problem = error.message;
  }
  if (hash !== location.hash) return; // a later link is followed
  if (!found && typed) found = { state: typed.state, example: "" };
  const [[example, { state }]] = Object.entries(examples);
  if (!found && isEmpty) found = { state, example };
  if (found) show(found.state, found.example);
  notice(problem);
}

function listen() {
  byId("example").addEventListener("change", ({ target }) => {
    const example = examples[target.value];
    if (!example) return;
    show(example.state, target.value);
    showExample();
  });
  byId("minor").addEventListener("change", changed);
  byId("validation").addEventListener("change", changed);
  for (const input of document.querySelectorAll("input[name=request]")) {
    input.addEventListener("change", edited);
  }
  byId("share").addEventListener("click", share);
  byId("clear").addEventListener("click", startOver);
  window.addEventListener("pagehide", keepNow);
  window.addEventListener("beforeunload", (event) => {
    keepNow();
    if (!isKept) event.preventDefault(); // too large to be kept: the browser asks
  });
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
  showExample();
  loading(globalThis.crdsemProgress);
  const library = await globalThis.crdsemLibrary;
  loading(undefined);
  performance.measure("ready", { start: 0 }); // since the navigation
  judge = new Judge(library, { state, asking, answered, failed });
  isReady();
  const newestFirst = judge.kubernetes.toReversed();
  byId("minor").append(
    h("option", { value: "" }, "newest release"), // a list of minors can begin with a beta
    ...newestFirst.map((minor) => h("option", { value: minor }, minor)),
  );
  choose("minor", latest.kubernetes); // the minors were not known before
  judge.ask();
}

start().catch(failed);
