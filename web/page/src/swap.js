import { isDefinition } from "./results.js";

/**
 * Returns how texts get to where they belong: a definition in the pane of the object, or an object
 * in that of the definition. It is undefined if both are where they belong.
 *
 * @param {{definitions: any[], objects: any[]}} answer
 * @returns {{title: string, moved: (texts: {definition: string, object: string}) =>
 *   {definition: string, object: string}} | undefined}
 */
export function moveOf({ definitions, objects }) {
  const left = kindOf(definitions);
  const right = kindOf(objects);
  if (right === "definition" && left === "object") {
    const moved = ({ definition, object }) => ({ definition: object, object: definition });
    return { title: "Swap the two texts", moved };
  }
  if (right === "definition") {
    const moved = ({ object }) => ({ definition: object, object: "" });
    return { title: "Move it to the left", moved };
  }
  if (left === "object") {
    const moved = ({ definition }) => ({ definition: "", object: definition });
    return { title: "Move it to the right", moved };
  }
  return undefined;
}

/** Returns what a pane has: a definition, an object, or neither. */
function kindOf(results) {
  if (results.some(isDefinition)) return "definition";
  return results.some(({ kind, apiVersion }) => kind && apiVersion) ? "object" : "";
}
