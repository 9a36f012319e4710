import { executionAsyncResource } from "node:async_hooks";

/**
 * Keeps one of the objects that Node makes for every `process.nextTick`, of which a page needs several. V8 knows their
 * shape only as long as one of them lives: once garbage is collected while none does, each is put together property by
 * property until the process ends, and a page from memory takes up to half as long again. Call it first of all
 * (docs/decisions/0022-pages-in-memory.md).
 */
export function keepTicksQuick() {
  process.nextTick(() => Object.assign(process, { [keptTick]: executionAsyncResource() }));
}

/** Where the object hangs: at the process, which outlives every module. */
export const keptTick = Symbol("kept tick");
