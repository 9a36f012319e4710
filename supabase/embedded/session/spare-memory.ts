import { setFlagsFromString } from "node:v8";

/**
 * Has WebAssembly compiled by one thread instead of all. Each thread keeps what it allocated for its compiler: with
 * several, an idle server holds about 30 MB more, and on two cores it starts no faster. Call it before PGlite loads.
 */
export function spareCompilerMemory(): void {
  setFlagsFromString("--wasm-num-compilation-tasks=1");
}
