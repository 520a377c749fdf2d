// Bundles the extension into dist/extension.js; with --test, the tests into dist/test/.
import { readdirSync } from "node:fs";
import { build } from "esbuild";

const tests = process.argv.includes("--test");
const options = { bundle: true, platform: "node", target: "node20", format: "cjs", external: ["vscode"], logLevel: "warning" };

if (tests) {
  const files = readdirSync("test").filter((one) => one.endsWith(".test.ts"));
  await build({ ...options, entryPoints: files.map((one) => `test/${one}`), outdir: "dist/test" });
} else {
  const production = process.argv.includes("--production");
  await build({ ...options, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", minify: production, sourcemap: !production });
}
