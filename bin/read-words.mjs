import { resolve } from "node:path";

/**
 * Reads the arguments of a command by its usage, e.g. `<file> [--replace] | consent <number> [--json]`.
 * @param {string} usage alternatives of words, `<values>` and `--options`; those in brackets are optional
 * @param {readonly string[]} args
 * @param {string} caller folder of relative paths
 * @returns {string[] | null} the arguments with absolute paths; null if they do not fit
 */
export function readWords(usage, args, caller) {
  for (const way of usage.split(" | ")) {
    const read = readBy(way, args, caller);
    if (read !== null) return read;
  }
  return null;
}

/** @param {string} way @param {readonly string[]} args @param {string} caller */
function readBy(way, args, caller) {
  const parts = [...way.matchAll(/(\[)?(?:(--[a-z-]+)(?: (<[^>]+>))?|(<[^>]+>|[a-z-]+))/g)].map(
    ([, bracket, option, value = "", word = ""]) => ({ isOptional: Boolean(bracket), option, value, word }),
  );
  const words = parts.filter(({ option }) => option === undefined);
  /** @type {string[]} */
  const read = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    // The number of a consent is longer than every option, and may begin with a hyphen.
    if (arg.startsWith("-") && arg.length < 32) {
      const known = parts.find(({ option }) => option === arg);
      if (!known) return null;
      read.push(arg);
      if (!known.value) continue;
      const value = args[(at += 1)] ?? "";
      if (value === "" || value.startsWith("-")) return null;
      read.push(resolvePath(known.value, value, caller));
    } else {
      const word = words.shift()?.word;
      if (word === undefined || arg === "" || !(word.startsWith("<") || word === arg)) return null;
      read.push(resolvePath(word, arg, caller));
    }
  }
  return words.some(({ isOptional }) => !isOptional) ? null : read;
}

/** Makes a path absolute. A slash at its end, which asks for a folder, stays. @param {string} called @param {string} given @param {string} caller */
function resolvePath(called, given, caller) {
  if (!/file|folder/.test(called) || given.startsWith("s3://")) return given;
  return resolve(caller, given) + (/.[/\\]$/.test(given) ? "/" : "");
}
