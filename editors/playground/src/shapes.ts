// Inlay hints: shapes behind names. They are decorations, so the text itself and its columns stay as they are.
import { StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { Hint } from "./messages";

class Shape extends WidgetType {
  constructor(private readonly label: string) {
    super();
  }

  eq(other: Shape): boolean {
    return other.label === this.label;
  }

  toDOM(): HTMLElement {
    const shown = document.createElement("span");
    shown.className = "shape";
    shown.textContent = this.label;
    shown.setAttribute("aria-hidden", "true"); // the list next to the editor has the shapes for screen readers
    return shown;
  }
}

export const setShapes = StateEffect.define<Hint[]>();

export const shapes = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let now = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setShapes)) now = decorations(effect.value, transaction.state.doc);
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorations(hints: Hint[], text: Text): DecorationSet {
  const made = hints.map((one) => Decoration.widget({ widget: new Shape(one.label), side: 1 }).range(offset(text, one.line, one.column)));
  return Decoration.set(made, true);
}

/** The offset of a line and a column, from 1, in code points; CodeMirror counts UTF-16 units. */
export function offset(text: Text, line: number, column: number): number {
  if (line > text.lines) return text.length;
  const found = text.line(Math.max(line, 1));
  const before = Array.from(found.text).slice(0, Math.max(column - 1, 0)).join("");
  return found.from + before.length;
}
