import { h } from "./dom.js";
import { indented } from "./json.js";
import { startLibrary } from "./program.js";
import { startSearch } from "./search.js";

// The pages of the documentation and of the specification. The requests of the specification's
// examples can be changed, and sent to the library.

let library;

/** Starts the library when the first example runs. */
function engine() {
  library ??= startLibrary("../");
  library.catch(() => (library = undefined));
  return library;
}

let count = 0;

function prepare(example) {
  const data = example.querySelector("script");
  if (!data) return;
  const details = example.querySelector("details") ?? example;
  const open = h("button", { type: "button", class: "run" }, "Run this example");
  open.addEventListener("click", () => {
    const elements = runner(indented(data.textContent));
    open.replaceWith(...elements);
    elements.find((element) => element.matches("textarea")).focus();
  });
  details.append(open);
}

/** Returns the elements that send a request. */
function runner(request) {
  const id = `request-${++count}`;
  const input = h("textarea", { id, spellcheck: "false", rows: lines(request) });
  input.value = request;
  const output = h("pre", { class: "answer", role: "status", tabindex: "0" }, "Starting…");
  let run = 0;
  const send = async () => {
    const current = ++run;
    const answer = await answerTo(input.value);
    if (current === run) output.textContent = answer;
  };
  input.addEventListener("input", send);
  send();
  return [
    h("label", { for: id, class: "run-label" }, "Request, as JSON: change it"),
    input,
    h("p", { class: "run-label" }, "Answer of this library"),
    output,
  ];
}

const lines = (text) => String(Math.min(text.split("\n").length, 24));

async function answerTo(text) {
  let request;
  try {
    request = withID(text);
    const { engine: started } = await engine();
    const answer = await started.answer(request);
    return indented(answer.replace('{"id":"1"}', "{}").replace('{"id":"1",', "{"));
  } catch (error) {
    return String(error.message ?? error);
  }
}

/** Returns a request with an id. Its text is kept, because numbers keep their spelling. */
function withID(text) {
  const parsed = JSON.parse(text);
  if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) {
    throw new Error("the request is not an object");
  }
  const members = text.trim().slice(1);
  return Object.keys(parsed).length ? `{"id":"1",${members}` : '{"id":"1"}';
}

startSearch(document.getElementById("search"), document.getElementById("found"));

for (const example of document.querySelectorAll(".example")) prepare(example);

// Code and tables of chapters scroll on a narrow screen, also by keyboard.
for (const wide of document.querySelectorAll("main > pre, main > table")) wide.tabIndex = 0;

/** Scrolls the list of chapters, which is a row on a narrow screen, to the page's own. */
function showChapter() {
  const own = document.querySelector(".book nav [aria-current]");
  const list = own?.closest("nav");
  if (list) list.scrollLeft = own.offsetLeft - (list.clientWidth - own.offsetWidth) / 2;
}

showChapter();

/** Opens the example of the rule that the link names. */
function openTarget() {
  const anchor = document.getElementById(fragment());
  const heading = anchor?.closest("p")?.nextElementSibling;
  let next = heading?.nextElementSibling;
  while (next && !next.matches(".example, .rule")) next = next.nextElementSibling;
  const details = next?.querySelector("details");
  if (details) details.open = true;
}

/** Returns the fragment of the link; empty if it is malformed. */
function fragment() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

openTarget();
window.addEventListener("hashchange", openTarget);
