import { executionAsyncResource } from "node:async_hooks";

/**
 * Keeps one of the objects that Node makes for every `process.nextTick` (its TickObject), of which a page needs several.
 * V8 drops their hidden class when garbage is collected while none of them is alive: each is then put together property
 * by property until the process ends, and a page from memory takes up to half as long again. Call it first of all, and
 * measure anew with each major version of Node whether it is still needed (docs/decisions/pages/0022-pages-in-memory.md).
 */
export function keepTickObject() {
  process.nextTick(() => Object.assign(process, { [keptTickObject]: executionAsyncResource() }));
}

/** Where the object hangs: at the process, which outlives every module. */
const keptTickObject = Symbol("kept TickObject");
