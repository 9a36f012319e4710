// Loaded before a product that a test starts as a process: pages are compressed quickly. The best takes a quarter of a start's
// processor time, for visitors who never come. Sites inside a test's own process have an option for it (`compression`).
import { syncBuiltinESMExports } from "node:module";
import zlib from "node:zlib";

const { brotliCompress, constants } = zlib;

zlib.brotliCompress = /** @type {typeof brotliCompress} */ (
  (
    /** @type {zlib.InputType} */ body,
    /** @type {zlib.BrotliOptions} */ options,
    /** @type {zlib.CompressCallback} */ then,
  ) => brotliCompress(body, { ...options, params: { ...options.params, [constants.BROTLI_PARAM_QUALITY]: 4 } }, then)
);
syncBuiltinESMExports();
