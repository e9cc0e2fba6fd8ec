/** Python's own library for a page: compiled, because compiling takes a page seconds, and without what no page uses. */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const COMPILE = `
import importlib._bootstrap_external as importer, importlib.util, io, re, zipfile

LEFT_OUT = re.compile(
    r"(_pyrepl|curses|dbm|sqlite3|unittest|wsgiref|xml/dom|xml/sax|xmlrpc|zoneinfo)/"
    r"|multiprocessing/(?!(__init__|context|process|reduction|util)\\.py$)|http/(cookiejar|cookies|server)\\.py$"
    r"|encodings/(?!(__init__|aliases|ascii|cp437|idna|latin_1|punycode|raw_unicode_escape|unicode_escape|utf_.*)\\.py$)"
    r"|(_pydatetime|_pydecimal|_pyio|bdb|cmd|compileall|configparser|csv|doctest|fileinput|ftplib|imaplib|mailbox"
    r"|modulefinder|optparse|pdb|pickletools|plistlib|poplib|profile|pstats|pyclbr|pydoc|smtplib|socketserver"
    r"|statistics|symtable|tabnanny|trace|tracemalloc|turtle|wave)\\.py$"
)

def compiled(path):
    """Return the archive of the library with its sources compiled."""
    written = io.BytesIO()
    with zipfile.ZipFile(path) as given, zipfile.ZipFile(written, "w") as made:
        for name in given.namelist():
            if LEFT_OUT.match(name) or name.endswith("/"):
                continue
            body = given.read(name)
            if name.endswith(".py"):
                # Pyodide reads its own documentation when it starts; nobody reads that of the rest.
                level = 1 if "pyodide" in name else 2
                code = compile(body, f"{path}/{name}", "exec", dont_inherit=True, optimize=level)
                body, name = importer._code_to_hash_pyc(code, importlib.util.source_hash(body), False), name + "c"
            made.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()

compiled("/lib/python" + "".join(map(str, __import__("sys").version_info[:2])) + ".zip")
`;

/** Return the compiled library of the Pyodide in a folder; it is kept below that. */
export async function compiledLibrary(folder) {
  const source = await readFile(`${folder}/python_stdlib.zip`);
  const name = createHash("sha256").update(COMPILE).update(source).digest("hex").slice(0, 20);
  const cache = `${folder}/../.cache/lampion`;
  const kept = `${cache}/stdlib-${name}.zip`;
  try {
    return await readFile(kept);
  } catch {
    const { loadPyodide } = await import("pyodide");
    const python = await loadPyodide({ indexURL: fileURLToPath(new URL(`${folder}/`, import.meta.url)) });
    const made = python.runPython(COMPILE);
    const library = made.toJs();
    made.destroy();
    await mkdir(cache, { recursive: true });
    await writeFile(`${kept}.${process.pid}`, library);
    await rename(`${kept}.${process.pid}`, kept);
    return library;
  }
}
