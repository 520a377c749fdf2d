// Builds the page into dist/: the wheel of this checkout, Pyodide, the bundles and the static files.
// `npm run build` needs a Python with the package `build` and the build backend: $PYTHON, else `python`.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { loadPyodide } from "pyodide";

const HERE = dirname(fileURLToPath(import.meta.url));
const OUT = join(HERE, "dist");
const PYODIDE = dirname(fileURLToPath(import.meta.resolve("pyodide/pyodide.mjs")));
const PYODIDE_FILES = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"];

/** The wheel that users install, from this checkout. */
function wheel() {
  const folder = mkdtempSync(join(tmpdir(), "shapecheck-"));
  try {
    const python = process.env.PYTHON ?? "python";
    const options = ["-m", "build", "--wheel", "--no-isolation", "--outdir", folder, join(HERE, "../..")];
    execFileSync(python, options, { stdio: ["ignore", "ignore", "inherit"] });
    const [name] = readdirSync(folder).filter((one) => one.endsWith(".whl"));
    return new Uint8Array(readFileSync(join(folder, name)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the page needs of the wheel, compiled by the Python that runs there: it starts several times as fast. */
async function compiled(content) {
  const python = await loadPyodide();
  python.unpackArchive(content, "zip", { extractDir: "/wheel" });
  python.runPython(readFileSync(join(HERE, "compile.py"), "utf8"));
  return python.FS.readFile("/shapecheck.zip");
}

/** The programs of examples/, in the order of their names; the first line of each is its title. */
function examples() {
  const files = readdirSync(join(HERE, "examples")).sort();
  const made = files.map((file) => {
    const text = readFileSync(join(HERE, "examples", file), "utf8");
    return { name: file.replace(/^\d+_|\.py$/g, ""), title: /^# (.*)\n/.exec(text)[1], text: text.replace(/^# .*\n/, "") };
  });
  return `export default ${JSON.stringify(made)};`;
}

const examplesModule = {
  name: "examples",
  setup(bundle) {
    bundle.onResolve({ filter: /^examples$/ }, () => ({ path: "examples", namespace: "made" }));
    bundle.onLoad({ filter: /.*/, namespace: "made" }, () => ({ contents: examples(), loader: "js" }));
  },
};

rmSync(OUT, { recursive: true, force: true });
mkdirSync(join(OUT, "pyodide"), { recursive: true });
await build({
  entryPoints: [join(HERE, "src/main.ts"), join(HERE, "src/worker.ts")],
  outdir: OUT,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  plugins: [examplesModule],
  logLevel: "warning",
});
for (const name of ["index.html", "style.css"]) copyFileSync(join(HERE, name), join(OUT, name));
for (const name of PYODIDE_FILES) copyFileSync(join(PYODIDE, name), join(OUT, "pyodide", name));
writeFileSync(join(OUT, "shapecheck.zip"), await compiled(wheel()));
