// The editor: CodeMirror with Python, findings underlined, and shapes behind names.
import { defaultKeymap, history, historyKeymap, toggleComment } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Answer, Finding } from "./messages";
import { offset, setShapes, shapes } from "./shapes";

const SEVERITIES = { error: "error", warning: "warning", note: "info" } as const;

/** Colors are variables of style.css, so that both color schemes use one style. */
const COLORS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.self], color: "var(--keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: [tags.comment], color: "var(--comment)", fontStyle: "italic" },
  { tag: [tags.definition(tags.variableName), tags.function(tags.variableName), tags.className], color: "var(--name)" },
  { tag: [tags.meta], color: "var(--comment)" },
]);

export function editorIn(parent: HTMLElement, changed: (text: string) => void): EditorView {
  const extensions = [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of("    "),
    bracketMatching(),
    python(),
    syntaxHighlighting(COLORS),
    lintGutter(),
    shapes,
    // Tab leaves the editor, as the keyboard's users need; Enter indents.
    keymap.of([{ key: "Mod-/", run: toggleComment }, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    EditorView.contentAttributes.of({ "aria-label": "PyTorch code", "aria-describedby": "keys", spellcheck: "false" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.state.doc.toString());
    }),
  ];
  return new EditorView({ parent, state: EditorState.create({ extensions }) });
}

/** Replaces the text, as an edit that can be undone. */
export function setText(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
}

/** Shows what was found; while the text does not parse, the shapes stay where they are. */
export function show(view: EditorView, answer: Answer, withShapes: boolean): void {
  view.dispatch(setDiagnostics(view.state, answer.diagnostics.map((one) => underlined(view, one))));
  if (answer.parses) view.dispatch({ effects: setShapes.of(withShapes ? answer.hints : []) });
}

function underlined(view: EditorView, one: Finding): Diagnostic {
  const text = view.state.doc;
  const from = offset(text, one.line, one.column);
  const to = Math.max(offset(text, one.end_line, one.end_column), Math.min(from + 1, text.length));
  return { from, to, severity: SEVERITIES[one.severity], message: one.message, source: one.code };
}

/** Moves the cursor to a place, and the focus into the editor. */
export function go(view: EditorView, line: number, column: number): void {
  const anchor = offset(view.state.doc, line, column);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  view.focus();
}
