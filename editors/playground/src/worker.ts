// The worker: Python, the engine from the wheel, and the document that is checked after each edit.
import type { PyodideAPI } from "pyodide";
import type { PyCallable } from "pyodide/ffi";
import type { Reply, Request } from "./messages";

const folder = new URL("pyodide/", self.location.href).href;
const ARCHIVE = "/lib/shapecheck.zip";
const START = `
import sys
from pathlib import Path
sys.path.insert(0, "${ARCHIVE}")
from shapecheck import __version__
from shapecheck.playground import Playground
page = Playground(Path.cwd() / "model.py")
f"shapecheck {__version__}, Python {sys.version.split()[0]}"
`;

function send(reply: Reply): void {
  self.postMessage(reply);
}

async function start(): Promise<PyCallable> {
  const { loadPyodide } = (await import(`${folder}pyodide.mjs`)) as typeof import("pyodide");
  const archive = fetch("shapecheck.zip").then((response) => {
    if (!response.ok) throw new Error(`shapecheck.zip: ${response.status}`);
    return response.arrayBuffer();
  });
  const python: PyodideAPI = await loadPyodide({ indexURL: folder });
  python.FS.writeFile(ARCHIVE, new Uint8Array(await archive));
  const versions = python.runPython(START) as string;
  const answer = python.runPython("lambda text, is_quick: page.answer(text, is_quick=is_quick)") as PyCallable;
  send({ kind: "ready", versions });
  return answer;
}

const started = start();
started.catch((fault) => send({ kind: "fault", id: 0, fault: String(fault) }));

self.onmessage = async ({ data }: MessageEvent<Request>) => {
  const answer = await started;
  try {
    send({ kind: "answer", id: data.id, answer: JSON.parse(answer(data.text, data.isQuick) as string) });
  } catch (fault) {
    send({ kind: "fault", id: data.id, fault: String(fault) });
  }
};
