import { StyleModule } from "style-mod";

/** The document as style-mod sees a shadow root, to which it adds a constructed style sheet. */
const root = {
  ownerDocument: document,
  get adoptedStyleSheets() {
    return document.adoptedStyleSheets;
  },
  set adoptedStyleSheets(sheets) {
    document.adoptedStyleSheets = sheets;
  },
};

/**
 * Gives editors their styles without a style element, for which the page's Content-Security-Policy
 * would need an exception.
 */
export function adoptStyles() {
  const { mount } = StyleModule;
  StyleModule.mount = (_, modules) => mount(root, modules);
}
