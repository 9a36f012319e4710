// A test loads this before it starts a product as a process. Pages are compressed at a fast level, because the best
// level takes a quarter of the start's processor time. Sites inside a test's own process use the option `compression`.
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
