import MiniSearch from "minisearch";
import { h } from "./dom.js";

// The search of the site: sections of the documentation and of the specification.

const most = 12;

/** Words that say nothing about what is sought. */
const empty = new Set(
  "a an and are can do does for from how i in is it my of on or the to with what".split(" "),
);

/** Flags and ids of rules are words of their own, e.g. --fail-on and STR-002. */
const whole = /--[\w-]+|\b[a-z]+-\d+\b/gi;

/** Other words for what pages call otherwise. */
const synonyms = {
  action: ["ci", "pipeline", "workflow"],
  actions: ["ci", "pipeline", "workflow"],
  argo: ["gitops", "argocd"],
  disable: ["ignore", "skip"],
  suppress: ["ignore"],
};

const options = {
  idField: "link",
  fields: ["title", "page", "text"],
  storeFields: ["title", "page"],
  tokenize: (text) => [...text.split(/[\s\p{P}\p{S}]+/u), ...(text.match(whole) ?? [])],
  processTerm: (term) => {
    const word = term.toLowerCase();
    return word && !empty.has(word) ? word : null;
  },
  searchOptions: {
    boost: { title: 4, page: 2 },
    boostDocument: (link) => (link.startsWith("docs/") ? 3 : 1), // rules come after documents
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 4 && !term.startsWith("--") ? 0.1 : false),
  },
};

/**
 * Returns what is found: first sections with all words, then those with some. Synonyms
 * count as words.
 *
 * @param {MiniSearch} search
 * @param {string} text
 */
export function found(search, text) {
  const all = search.search(text, { combineWith: "AND" });
  const some = search.search(withSynonyms(text), { combineWith: "OR" });
  const links = new Set(all.map(({ id }) => id));
  return [...all, ...some.filter(({ id }) => !links.has(id))].slice(0, most);
}

/** Returns a text with the synonyms of its words. */
function withSynonyms(text) {
  const words = text.toLowerCase().split(/\s+/);
  return [text, ...words.flatMap((word) => synonyms[word] ?? [])].join(" ");
}

/** Returns a search in sections. */
export function newSearch(sections) {
  const search = new MiniSearch(options);
  search.addAll(sections);
  return search;
}

let loading;

/** Reads what there is to find, when something is typed for the first time. */
function sections() {
  loading ??= read();
  loading.catch(() => (loading = undefined));
  return loading;
}

async function read() {
  const response = await fetch("../search.json");
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return newSearch(await response.json());
}

/** Shows links to sections below an input while one types. */
export function startSearch(input, list) {
  const show = (...items) => {
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
  };
  input.addEventListener("input", async () => {
    const text = input.value.trim();
    if (!text) return show();
    try {
      const entries = found(await sections(), text).map(entry);
      if (input.value.trim() === text) show(...(entries.length ? entries : [nothing(text)]));
    } catch (error) {
      show(h("li", {}, `The search could not be loaded: ${error.message}`));
    }
  });
  input.parentElement.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    input.value = "";
    input.focus();
    show();
  });
}

const entry = ({ id, title, page }) =>
  h("li", {}, h("a", { href: `../${id}` }, title), " ", title === page ? [] : h("small", {}, page));

const nothing = (text) => h("li", {}, `Nothing has “${text}”.`);
