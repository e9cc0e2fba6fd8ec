// Calls functions of a module in a memory that was written by Python; in Node and in a browser.
// A call is {name, args, times, step, watch}: it is made so many times, its argument number `step` growing by one, and
// after each the bytes `watch` (where, how many) are kept, to be hashed. Whole numbers of 64 bits come as text.
const PAGE = 65536;
const STACK = 1 << 20;

/** Make the calls; return their answers, and the memory that they left. */
export async function makeCalls(module, image, calls) {
  const pages = Math.ceil((image.length + 2 * STACK) / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: 65536 });
  new Uint8Array(memory.buffer).set(image);
  const global = (value, mutable) => new WebAssembly.Global({ value: "i32", mutable }, value);
  const env = {
    memory,
    __memory_base: global(image.length + (16 - (image.length % 16)), false),
    __table_base: global(0, false),
    __stack_pointer: global(pages * PAGE, true),
    __indirect_function_table: new WebAssembly.Table({ initial: 0, element: "anyfunc" }),
  };
  const { instance } = await WebAssembly.instantiate(module, { env });
  const read = (value) => (typeof value === "string" ? BigInt(value) : value);
  const answers = [];
  for (const call of calls) {
    const args = call.args.map(read);
    const times = call.times ?? 1;
    const [at, length] = call.watch ?? [0, 0];
    const seen = new Uint8Array(length * times);
    let result;
    const began = performance.now();
    for (let i = 0; i < times; i++) {
      result = instance.exports[call.name](...args);
      if (call.step !== undefined) args[call.step] += 1n;
      seen.set(new Uint8Array(memory.buffer, at, length), i * length);
    }
    const seconds = (performance.now() - began) / 1000;
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", seen));
    const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
    answers.push({ result: String(result), hash: hex, seconds });
  }
  return { answers, image: new Uint8Array(memory.buffer, 0, image.length) };
}
