import assert from "node:assert/strict";
import { test } from "node:test";
import { missing, probe, serverCommand } from "../src/command";

test("the selected interpreter runs the server", () => {
  assert.deepEqual(serverCommand([], "", "/env/bin/python"), { command: "/env/bin/python", args: ["-m", "shapecheck", "lsp"] });
});

test("a configured interpreter precedes the selected one", () => {
  assert.equal(serverCommand([], "/other/python", "/env/bin/python").command, "/other/python");
});

test("a configured command precedes both", () => {
  assert.deepEqual(serverCommand(["shapecheck", "lsp"], "/other/python", undefined), { command: "shapecheck", args: ["lsp"] });
});

test("without the Python extension, it is the python of the path", () => {
  assert.equal(serverCommand([], "", undefined).command, "python");
});

test("only an interpreter can be asked for the server", () => {
  assert.deepEqual(probe(serverCommand([], "", undefined)), ["-c", "import shapecheck.lsp, pygls"]);
  assert.equal(probe(serverCommand(["shapecheck", "lsp"], "", undefined)), undefined);
});

test("a message says what is missing, and how to install it", () => {
  const command = serverCommand([], "", "/env/bin/python");
  assert.match(missing(command, "ModuleNotFoundError: No module named 'shapecheck'"), /^shapecheck is not installed/);
  assert.match(missing(command, "ModuleNotFoundError: No module named 'pygls'"), /^pygls is not installed/);
  assert.match(missing(command, ""), /-m pip install "torch-shapecheck\[lsp\]"$/);
});
