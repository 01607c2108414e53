import { autocompletion } from "@codemirror/autocomplete";
import { hoverTooltip } from "@codemirror/view";
import { h, prose } from "./dom.js";

/**
 * Returns what an editor needs to complete what is typed, and to explain what the pointer rests on.
 *
 * @param {(want: string, place: {line: number, column: number}) => Promise<any>} ask asks the
 *   library about a place, counted from 0; the answer is undefined if there is none
 */
export function help(ask) {
  const at = (doc, position) => {
    const { number, from } = doc.lineAt(position);
    return { line: number - 1, column: position - from };
  };
  return [
    autocompletion({
      icons: false,
      override: [
        async (context) => {
          if (!context.explicit && !context.matchBefore(/[\w."-]$|[:-] $/)) return null;
          const answer = await ask("completions", at(context.state.doc, context.pos));
          const options = (answer?.completions ?? []).map(option);
          if (options.length === 0) return null;
          const { start, end } = answer.completions[0].edit.range;
          const { doc } = context.state;
          return {
            from: offset(doc, start),
            to: offset(doc, end),
            options,
            validFor: /^["'\w-]*$/,
          };
        },
      ],
    }),
    hoverTooltip(async (view, position) => {
      const answer = await ask("hover", at(view.state.doc, position));
      if (!answer?.hover) return null;
      const dom = h("div", { class: "hover" }, ...markdown(answer.hover));
      return { pos: position, create: () => ({ dom }) };
    }),
  ];
}

/** Returns an option. Of those that fit alike, the order of the library counts. */
function option({ label, filter, kind, detail, text, edit }, index) {
  const boost = Math.max(99 - index, -99);
  const labels = filter ? { label: filter, displayLabel: label } : { label };
  return { ...labels, type: kind, detail, info: text, boost, apply: edit.text };
}

/** Returns the place of a position that counts lines and columns from 0. */
function offset(doc, { line, column }) {
  const { from, length } = doc.line(Math.min(line + 1, doc.lines));
  return from + Math.min(column, length);
}

/** Makes the edits of an action, all at once. */
export function apply(view, { edits }) {
  const { doc } = view.state;
  view.dispatch({
    changes: edits.map(({ range, text }) => ({
      from: offset(doc, range.start),
      to: offset(doc, range.end),
      insert: text,
    })),
  });
}

/** Returns the elements of a text in the little Markdown that the library writes. */
function markdown(text) {
  return text.split(/\n\n/).map((part) => {
    const rule = /^```cel\n([^]*?)\n```\n?([^]*)$/.exec(part);
    if (rule) return h("div", {}, h("pre", {}, rule[1]), ...strong(rule[2]));
    return h("p", {}, ...strong(part));
  });
}

/** Returns a text with its bold parts, its code and its lines. */
function strong(text) {
  const parts = text.split("**");
  return parts.flatMap((part, i) => (i % 2 ? h("strong", {}, part) : prose(part)));
}
