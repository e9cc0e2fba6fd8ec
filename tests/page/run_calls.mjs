// Calls functions of a module in a memory that was written by Python, and writes the memory back.
//   node run_calls.mjs MODULE MEMORY < CALLS
// A call is {name, args, times, step, watch}: it is made so many times, its argument number `step` growing by one, and
// after each the bytes `watch` (where, how many) are hashed. Whole numbers of 64 bits come as text.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const PAGE = 65536;
const STACK = 1 << 20;
const [, , moduleFile, memoryFile] = process.argv;
const image = readFileSync(memoryFile);
const pages = Math.ceil((image.length + 2 * STACK) / PAGE);
const memory = new WebAssembly.Memory({ initial: pages, maximum: 65536 });
new Uint8Array(memory.buffer).set(image);
const end = pages * PAGE;
const global = (value, mutable) => new WebAssembly.Global({ value: "i32", mutable }, value);
const env = {
  memory,
  __memory_base: global(image.length + (16 - (image.length % 16)), false),
  __table_base: global(0, false),
  __stack_pointer: global(end, true),
  __indirect_function_table: new WebAssembly.Table({ initial: 0, element: "anyfunc" }),
};
const { instance } = await WebAssembly.instantiate(readFileSync(moduleFile), { env });
const read = (value) => (typeof value === "string" ? BigInt(value) : value);
const answers = JSON.parse(readFileSync(0, "utf8")).map((call) => {
  const args = call.args.map(read);
  const hash = createHash("sha256");
  const began = process.cpuUsage();
  let result;
  for (let i = 0; i < (call.times ?? 1); i++) {
    result = instance.exports[call.name](...args);
    if (call.step !== undefined) args[call.step] += 1n;
    if (call.watch) hash.update(new Uint8Array(memory.buffer, ...call.watch));
  }
  const spent = process.cpuUsage(began);
  return { result: String(result), hash: hash.digest("hex"), seconds: (spent.user + spent.system) / 1e6 };
});
writeFileSync(memoryFile, new Uint8Array(memory.buffer, 0, image.length));
console.log(JSON.stringify(answers));
