import { h } from "./dom.js";

/**
 * Tabs as in https://www.w3.org/WAI/ARIA/apg/patterns/tabs/: arrow keys choose, Tab moves into the
 * panel. Only the chosen panel is made.
 */
export class Tabs {
  #buttons;
  #panel;
  #tabs;
  #chosen = 0;
  #shown;

  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} panel
   * @param {{id: string, title: string, badge?: (shown: any) => string, render: (shown: any) =>
   *   Node[] | Promise<Node[]>}[]} tabs
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
    const shown = this.#shown;
    const chosen = this.#chosen;
    if (!shown) return;
    let nodes;
    try {
      nodes = await this.#tabs[chosen].render(shown);
    } catch (error) {
      nodes = [h("p", { class: "empty" }, String(error.message ?? error))];
    }
    if (shown === this.#shown && chosen === this.#chosen) this.#panel.replaceChildren(...nodes);
  }
}
