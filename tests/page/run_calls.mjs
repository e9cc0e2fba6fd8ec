// Calls functions of a module in a memory that was written by Python, and writes the memory back.
//   node run_calls.mjs MODULE MEMORY < CALLS
import { readFileSync, writeFileSync } from "node:fs";
import { makeCalls } from "./calls.mjs";

const [, , moduleFile, memoryFile] = process.argv;
const calls = JSON.parse(readFileSync(0, "utf8"));
const { answers, image } = await makeCalls(readFileSync(moduleFile), readFileSync(memoryFile), calls);
writeFileSync(memoryFile, image);
console.log(JSON.stringify(answers));
