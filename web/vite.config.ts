import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { compiledLibrary } from "./stdlib.mjs";

const PYODIDE = "node_modules/pyodide";

const PARTS = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "package.json"];

/** Lays the parts of Pyodide beside the pages, for `lampion site`; the served room does not load them. */
const pyodide: Plugin = {
  name: "pyodide",
  async generateBundle() {
    for (const name of PARTS) {
      const source = await this.fs.readFile(`${PYODIDE}/${name}`);
      this.emitFile({ type: "asset", fileName: `pyodide/${name}`, source });
    }
    const source = await compiledLibrary(PYODIDE);
    this.emitFile({ type: "asset", fileName: "pyodide/python_stdlib.zip", source });
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
