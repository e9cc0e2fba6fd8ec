/** Return the compiled library of the Pyodide in a folder; it is kept below that. */
export function compiledLibrary(folder: string): Promise<Uint8Array>;
