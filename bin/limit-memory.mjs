import { setFlagsFromString } from "node:v8";

/**
 * V8 options that make a process with the embedded database use less memory, at no measurable cost. A backup process
 * starts with the same ones (app/server/backend/embedded/run-backup.server.ts).
 *
 * One thread compiles WebAssembly instead of all: each keeps its compiler's memory, 30 MB in all, and on two cores more
 * threads start no faster. Garbage is collected at half of the memory in use: on a large machine V8 lets the heap
 * triple, to 660 MB after a hundred thousand requests, of which 340 were garbage.
 */
const options = ["--wasm-num-compilation-tasks=1", "--heap-growing-percent=50"];

/**
 * Applies the options to the whole process, not to one thread. Call it before the database's modules load: the options
 * only take effect at the start of a process.
 */
export function limitMemory() {
  for (const option of options) setFlagsFromString(option);
}
