import { setFlagsFromString } from "node:v8";

/**
 * V8's options with which a process that opens the database inside holds less memory, at no cost that could be measured. A
 * backup's process is started with the same (app/server/backend/embedded/run-backup.server.ts).
 *
 * WebAssembly is compiled by one thread instead of all: each keeps what it allocated for its compiler, 30 MB in all, and on two
 * cores several start no faster. And garbage is collected when it is half of what is in use: on a machine with much memory V8 lets
 * it grow to three times as much, 660 MB after a hundred thousand requests of which 340 were garbage.
 */
const options = ["--wasm-num-compilation-tasks=1", "--heap-growing-percent=50"];

/** Call it before the database's program is loaded. It is for the whole process: only what a process is started with decides. */
export function limitMemory() {
  for (const option of options) setFlagsFromString(option);
}
