// What the page and its worker send to each other. An answer is the JSON of shapecheck/playground.py.

export interface Request {
  id: number;
  text: string;
  isQuick: boolean;
}

export interface Note {
  line: number;
  column: number;
  message: string;
}

export interface Finding extends Note {
  end_line: number;
  end_column: number;
  code: string;
  severity: "error" | "warning" | "note";
  notes: Note[];
}

export interface Hint {
  line: number;
  column: number;
  label: string;
}

export interface Answer {
  /** Whether the text parses; if not, the one finding says why, and there are no hints. */
  parses: boolean;
  diagnostics: Finding[];
  hints: Hint[];
}

export type Reply =
  | { kind: "ready"; versions: string }
  | { kind: "answer"; id: number; answer: Answer }
  | { kind: "fault"; id: number; fault: string };
