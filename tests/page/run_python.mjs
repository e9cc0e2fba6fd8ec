// Runs Python in Pyodide as a page does: its own files, our archive, the modules of games.
//   node run_python.mjs PYODIDE < {archive, modules, files, code}
// `archive` is a packed file, `modules` and `files` go by their names there. Writes what the code returns, a text.
import { readFileSync } from "node:fs";

const folder = process.argv[2] + "/";
const { loadPyodide } = await import(folder + "pyodide.mjs");
const asked = JSON.parse(readFileSync(0, "utf8"));
const python = await loadPyodide({ indexURL: folder });
const site = python.runPython("import site; site.getsitepackages()[0]");
const bytes = (path) => new Uint8Array(readFileSync(path));
python.unpackArchive(bytes(asked.archive), "gztar", { extractDir: site });
python.FS.mkdirTree("/modules");
for (const [name, path] of Object.entries(asked.modules)) python.FS.writeFile(`/modules/${name}`, bytes(path));
for (const [name, path] of Object.entries(asked.files)) python.FS.writeFile(`${site}/${name}`, bytes(path));
process.stdout.write(python.runPython(asked.code));
