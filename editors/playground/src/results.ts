// The list next to the editor: findings with their notes, and the shapes for those who cannot see them in the text.
import type { Answer, Finding, Hint, Note } from "./messages";

type Go = (line: number, column: number) => void;

function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** A button that leads to a place in the text. */
function place(one: { line: number; column: number }, go: Go, ...content: (Node | string)[]): HTMLButtonElement {
  const made = element("button", "place", element("span", "at", `${one.line}:${one.column}`), ...content);
  made.type = "button";
  made.addEventListener("click", () => go(one.line, one.column));
  return made;
}

function finding(one: Finding, go: Go): HTMLLIElement {
  const message = element("span", "message", one.message);
  const head = place(one, go, element("span", "severity", one.severity), message);
  const code = element("a", "code", one.code);
  code.href = `../../codes/${one.code}/`;
  const made = element("li", `finding ${one.severity}`, head, code);
  if (one.notes.length) made.append(element("ul", "notes", ...one.notes.map((note) => noteOf(note, go))));
  return made;
}

function noteOf(one: Note, go: Go): HTMLLIElement {
  return element("li", "note", place(one, go, element("span", "message", one.message)));
}

export function findingsOf(answer: Answer, go: Go): Node[] {
  return answer.diagnostics.map((one) => finding(one, go));
}

export function shapesOf(hints: Hint[], text: string, go: Go): Node[] {
  const lines = text.split("\n");
  return hints.map((one) => {
    const before = Array.from(lines[one.line - 1] ?? "").slice(0, one.column - 1).join("");
    const name = one.label.startsWith(" ->") ? "result" : (/[\w.]+$/.exec(before)?.[0] ?? "");
    return element("li", "", place(one, go, element("code", "", name + one.label)));
  });
}

/** One sentence for the status line, which screen readers announce. */
export function summary(answer: Answer): string {
  if (!answer.parses) return "The code does not parse";
  const counts = (["error", "warning", "note"] as const)
    .map((kind) => [answer.diagnostics.filter((one) => one.severity === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count} ${kind}${count === 1 ? "" : "s"}`);
  return counts.length ? counts.join(", ") : "No findings";
}
