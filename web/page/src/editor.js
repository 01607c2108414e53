import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  WidgetType,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { help } from "./help.js";
import { adoptStyles } from "./styles.js";

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.content, tags.attributeValue], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.separator, tags.punctuation, tags.meta], color: "var(--code-comment)" },
]);

adoptStyles();

const common = [
  lineNumbers(),
  foldGutter(),
  drawSelection(),
  indentUnit.of("  "),
  yaml(),
  syntaxHighlighting(colors),
  marksField(),
  EditorView.lineWrapping,
  search({ top: true }), // the browser's own finds only the lines that are drawn
  keymap.of(searchKeymap),
];

/** Says in the markup that the text can have the focus. */
const focusable = { tabindex: "0" };

/**
 * Makes an editor in a parent. Tab moves the focus on, so that the keyboard is not trapped.
 *
 * @param {HTMLElement} parent
 * @param {{label: string, text?: string, onChange: () => void, ask: Function}} options ask asks the
 *   library about a place, see help.js
 */
export function newEditor(parent, { label, text = "", onChange, ask }) {
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        common,
        help(ask),
        history(),
        bracketMatching(),
        highlightActiveLine(),
        lintGutter(),
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ ...focusable, "aria-label": label, spellcheck: "false" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange();
        }),
      ],
    }),
  });
}

/** Makes a viewer of a text that cannot be changed. */
export function newViewer(parent, label, text, marks = []) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        common,
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({
          ...focusable,
          "aria-label": label,
          "aria-readonly": "true",
        }),
      ],
    }),
  });
  showMarks(view, marks);
  return view;
}

/** Replaces the text of an editor. */
export function setText(view, text) {
  if (view.state.doc.toString() === text) return;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

/** The most findings that are underlined: thousands would slow the editor down. */
const maxDiagnostics = 300;

/**
 * Underlines findings.
 *
 * @param {EditorView} view
 * @param {{line?: number, column?: number, severity: string, render: () => HTMLElement,
 *   text: string}[]} findings
 */
export function showFindings(view, findings) {
  const diagnostics = findings.slice(0, maxDiagnostics).map((finding) => ({
    ...rangeOf(view.state.doc, finding),
    severity: finding.severity === "tolerated" ? "info" : finding.severity,
    message: finding.text,
    renderMessage: finding.render,
  }));
  diagnostics.sort((a, b) => a.from - b.from || a.to - b.to);
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** Moves the cursor to a place, and the focus into the editor. */
export function goTo(view, place) {
  const { from } = rangeOf(view.state.doc, place);
  view.dispatch({
    selection: { anchor: from },
    effects: EditorView.scrollIntoView(from, { y: "center" }),
  });
  view.focus();
}

/**
 * Returns the range of a finding: from its place to the end of the key or value. A column counts
 * characters, of which some are two units of a string.
 */
function rangeOf(doc, { line = 1, column = 1 }) {
  const { from, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const units = [...text].slice(0, Math.max(column, 1) - 1).join("").length;
  const start = Math.min(units, text.length);
  const [scalar] = scalars.exec(text.slice(start)) ?? [text.slice(start)];
  return { from: from + start, to: from + start + scalar.length };
}

/** A key, a quoted value, a value in brackets, or any other value up to a comment. */
const scalars =
  /^(?:[^\s"'{[:]+(?=:(?:\s|$))|"(?:[^"\\]|\\.)*"|'[^']*'|\{[^}]*\}|\[[^\]]*\]|\S+(?:\s+[^\s#]\S*)*)/;

const replaceMarks = StateEffect.define();

/**
 * Marks lines, and the lines below them that are indented more.
 *
 * @param {EditorView} view
 * @param {{line: number, kind: string, label: string}[]} marks
 */
export function showMarks(view, marks) {
  const { doc } = view.state;
  const ranges = [];
  for (const mark of marks.slice(0, 2000)) {
    if (mark.line < 1 || mark.line > doc.lines) continue;
    for (let n = mark.line; n <= lastLine(doc, mark.line); n++) {
      ranges.push(Decoration.line({ class: `mark-${mark.kind}` }).range(doc.line(n).from));
    }
    const label = Decoration.widget({ widget: new Label(mark.label, mark.kind), side: 1 });
    ranges.push(label.range(doc.line(mark.line).to));
  }
  view.dispatch({ effects: replaceMarks.of(Decoration.set(ranges, true)) });
}

/** Returns the last line of the field that starts in a line. */
function lastLine(doc, first) {
  const text = doc.line(first).text;
  const indent = text.search(/\S/);
  const isItem = text.startsWith("- ", indent);
  let last = first;
  for (let n = first + 1; n <= doc.lines; n++) {
    const next = doc.line(n).text;
    const depth = next.search(/\S/);
    if (depth < 0) continue;
    const isList = !isItem && depth === indent && next.startsWith("- ", depth);
    if (depth <= indent && !isList) break;
    last = n;
  }
  return last;
}

function marksField() {
  return StateField.define({
    create: () => Decoration.none,
    update(marks, transaction) {
      for (const effect of transaction.effects) {
        if (effect.is(replaceMarks)) return effect.value;
      }
      return marks.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

/** A word behind a line. */
class Label extends WidgetType {
  constructor(text, kind) {
    super();
    this.text = text;
    this.kind = kind;
  }
  eq(other) {
    return other.text === this.text && other.kind === this.kind;
  }
  toDOM() {
    const span = document.createElement("span");
    span.className = `mark-label mark-label-${this.kind}`;
    span.textContent = this.text;
    return span;
  }
}
