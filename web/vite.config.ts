import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// Everything is a file of its own: the server's content security policy allows nothing inline.
export default defineConfig({
  base: "./",
  plugins: [svelte()],
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
