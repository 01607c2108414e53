import MiniSearch from "minisearch";
import { h } from "./dom.js";

// The search of the site: sections of the documentation and of the specification.

const most = 12;

const options = {
  idField: "link",
  fields: ["title", "page", "text"],
  storeFields: ["title", "page"],
  searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.1, combineWith: "AND" },
};

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
  const search = new MiniSearch(options);
  search.addAll(await response.json());
  return search;
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
      const found = (await sections()).search(text).slice(0, most);
      if (input.value.trim() === text) show(...(found.length ? found.map(entry) : [nothing(text)]));
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
