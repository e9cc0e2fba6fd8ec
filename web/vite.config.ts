import { svelte } from "@sveltejs/vite-plugin-svelte";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const PYODIDE = "../src/lampion/page/pyodide";

/** Lays the parts of Pyodide that a page loads beside our Python, for `lampion site`. */
const pyodide: Plugin = {
  name: "pyodide",
  closeBundle() {
    rmSync(PYODIDE, { recursive: true, force: true });
    mkdirSync(PYODIDE, { recursive: true });
    for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"])
      cpSync(`node_modules/pyodide/${name}`, `${PYODIDE}/${name}`);
    cpSync("node_modules/pyodide/package.json", `${PYODIDE}/package.json`);
  },
};

// Everything is a file of its own: the server's content security policy allows nothing inline.
export default defineConfig({
  base: "./",
  plugins: [svelte(), pyodide],
  worker: { format: "es" },
  build: {
    outDir: "../src/lampion/server/pages",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What three parts or more have in common is one file: many small ones would be larger on their way.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "shared", minShareCount: 3 }] } } },
  },
});
