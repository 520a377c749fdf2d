// The page: connects the editor, the engine, the list of results and the controls.
import examples from "examples";
import { editorIn, go, setText, show } from "./editor";
import { Engine } from "./engine";
import type { Answer } from "./messages";
import { findingsOf, shapesOf, summary } from "./results";
import { fragmentOf, textOf } from "./share";
import { schemeControl } from "./scheme";

/** Milliseconds after an edit: the quick check, and the complete one. */
const QUICK = 100;
const COMPLETE = 600;

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const status = find("status");
const picker = find<HTMLSelectElement>("example");
const withShapes = find<HTMLInputElement>("shapes");

let current: Answer | undefined;
/** The answer in the list, if it is about the present text. */
let shown = "";
let timers: number[] = [];
let editedAt = 0;

function announce(text: string): void {
  if (status.textContent !== text) status.textContent = text;
}

const engine = new Engine({
  ready(versions) {
    find("versions").textContent = versions;
    performance.mark("ready");
  },
  answered(answer, text) {
    if (text !== view.state.doc.toString()) return; // a later text is waiting
    current = answer;
    const now = JSON.stringify([text, answer]);
    if (now !== shown) {
      // The complete check seldom adds something: a new list would lose the focus, a second announcement "Link copied".
      render();
      announce(summary(answer));
    }
    shown = now;
    document.body.dataset.state = "answered";
    if (editedAt) performance.measure("answer", { start: editedAt, end: performance.now() });
    editedAt = 0;
  },
  failed(reason) {
    shown = "";
    current = { parses: true, diagnostics: [], hints: [] }; // what was found is about another text
    render();
    find("none").hidden = true;
    announce(`shapecheck cannot check this code: ${reason}`);
    document.body.dataset.state = "failed";
  },
});

const view = editorIn(find("editor"), (text) => {
  for (const timer of timers) clearTimeout(timer);
  editedAt = performance.now();
  document.body.dataset.state = "waiting";
  shown = "";
  timers = [true, false].map((isQuick) => setTimeout(() => engine.check(text, isQuick), isQuick ? QUICK : COMPLETE) as unknown as number);
});

function render(): void {
  if (!current) return;
  const lead = (line: number, column: number) => go(view, line, column);
  show(view, current, withShapes.checked);
  find("findings").replaceChildren(...findingsOf(current, lead));
  find("none").hidden = current.diagnostics.length > 0;
  if (current.parses) find("shape-list").replaceChildren(...shapesOf(current.hints, view.state.doc.toString(), lead));
}

async function restore(): Promise<void> {
  const shared = await textOf(location.hash);
  if (shared === undefined && view.state.doc.length) return;
  picker.value = shared === undefined ? examples[0].name : "";
  setText(view, shared ?? examples[0].text);
}

async function share(): Promise<void> {
  history.replaceState(null, "", await fragmentOf(view.state.doc.toString()));
  try {
    await navigator.clipboard.writeText(location.href);
    announce("Link copied");
  } catch {
    announce("The link is in the address bar");
  }
}

for (const one of examples) picker.add(new Option(one.title, one.name));
picker.addEventListener("change", () => {
  const chosen = examples.find((one) => one.name === picker.value);
  if (!chosen) return;
  history.replaceState(null, "", location.pathname);
  setText(view, chosen.text);
});
withShapes.addEventListener("change", render);
find("share").addEventListener("click", share);
addEventListener("hashchange", restore);
schemeControl(find("scheme"));
restore();
