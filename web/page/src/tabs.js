import { h } from "./dom.js";
import { replaceChildren } from "./focus.js";

/** A panel of another tab that takes longer than this is cleared, in milliseconds. */
const patience = 300;

/**
 * Tabs as in https://www.w3.org/WAI/ARIA/apg/patterns/tabs/: arrow keys choose, Tab moves into the
 * panel. Only the chosen panel is made.
 */
export class Tabs {
  #buttons;
  #panel;
  #tabs;
  #chosen = 0;
  #drawn; // the tab that the panel shows
  #shown;
  #rendering = new AbortController();

  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} panel
   * @param {{id: string, title: string, badge?: (shown: any) => string, render: (shown: any,
   *   signal: AbortSignal) => Node[] | Promise<Node[]>}[]} tabs what a tab's signal stops is not
   *   shown
   */
  constructor(list, panel, tabs) {
    this.#tabs = tabs;
    this.#panel = panel;
    this.#buttons = tabs.map(({ id, title }, i) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${id}`,
          "aria-controls": "panel",
          onclick: () => this.#choose(i),
        },
        title,
        h("span", { class: "tab-badge" }),
      ),
    );
    list.append(...this.#buttons);
    list.addEventListener("keydown", (event) => this.#key(event));
    this.#mark();
  }

  /** Shows what the panels are about. */
  show(shown) {
    this.#shown = shown;
    this.#tabs.forEach(({ badge }, i) => {
      this.#buttons[i].querySelector(".tab-badge").textContent = badge?.(shown) ?? "";
    });
    this.#render();
  }

  /** Stops a panel that is being made, because what it is about has changed. */
  stop() {
    this.#rendering.abort();
  }

  /** Shows a text in place of every panel. */
  clear(text) {
    this.stop();
    this.#shown = undefined;
    for (const button of this.#buttons) button.querySelector(".tab-badge").textContent = "";
    this.#draw([h("p", { class: "empty" }, text)]);
  }

  #choose(index) {
    this.#chosen = index;
    this.#mark();
    this.#render();
  }

  #mark() {
    this.#buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === this.#chosen));
      button.tabIndex = i === this.#chosen ? 0 : -1;
    });
    this.#panel.setAttribute("aria-labelledby", this.#buttons[this.#chosen].id);
  }

  #key(event) {
    const last = this.#buttons.length - 1;
    const next = {
      ArrowRight: this.#chosen === last ? 0 : this.#chosen + 1,
      ArrowLeft: this.#chosen === 0 ? last : this.#chosen - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.#choose(next);
    this.#buttons[next].focus();
    this.#buttons[next].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  async #render() {
    if (!this.#shown) return;
    this.stop();
    this.#rendering = new AbortController();
    const { signal } = this.#rendering;
    const waiting = setTimeout(() => this.#wait(signal), patience);
    let nodes;
    try {
      nodes = await this.#tabs[this.#chosen].render(this.#shown, signal);
    } catch (error) {
      nodes = [h("p", { class: "empty" }, String(error.message ?? error))];
    }
    clearTimeout(waiting);
    if (!signal.aborted) this.#draw(nodes);
  }

  /** Clears the panel if it is that of another tab. */
  #wait(signal) {
    if (signal.aborted || this.#drawn === this.#chosen) return;
    replaceChildren(this.#panel, [h("p", { class: "empty waiting" }, "checking…")]);
  }

  #draw(nodes) {
    this.#drawn = this.#chosen;
    replaceChildren(this.#panel, nodes);
  }
}
