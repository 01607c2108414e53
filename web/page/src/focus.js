const focusable = "a[href], button, input, select, textarea, [tabindex]";

/**
 * Replaces the children of an element. If one of them has the focus, the new one that is alike gets
 * it, or else the element.
 *
 * @param {HTMLElement} element has a tabindex
 * @param {Node[]} nodes
 */
export function replaceChildren(element, nodes) {
  const focused = document.activeElement;
  if (focused === element || !element.contains(focused)) return element.replaceChildren(...nodes);
  const alike = () =>
    [...element.querySelectorAll(focusable)].filter((other) => nameOf(other) === nameOf(focused));
  const place = alike().indexOf(focused);
  element.replaceChildren(...nodes);
  const found = alike();
  (found[place] ?? found.at(-1) ?? element).focus({ preventScroll: true });
}

/** Returns the name that tells what an element is for. */
const nameOf = (element) =>
  `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent}`;
