import { readFileSync } from "node:fs";
import { parseEnv } from "./parse-env.mjs";

/** What is wrong with an `.env` file: a line a mistake, without values. */
class EnvFileError extends Error {
  /** @override */
  name = "EnvFileError";
}

/**
 * Sets the variables of a file that are not set yet, as `process.loadEnvFile` does.
 * @param {string} [path]
 * @returns {string[]} the names that stand in it; none where there is no file
 * @throws {EnvFileError} with every mistake in it; nothing is set then
 */
export function loadEnvFile(path = ".env") {
  const bytes = readBytes(path);
  if (bytes === null) return [];
  const { values, mistakes } = parseEnv(decode(bytes));
  if (mistakes.length > 0) {
    const count = mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`;
    throw new EnvFileError(`The file ${path} has ${count}:\n- ${mistakes.join("\n- ")}`);
  }
  for (const [name, value] of values) process.env[name] ??= value;
  return [...values.keys()];
}

/** @param {string} path @returns {Buffer | null} null where there is none */
function readBytes(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "ENOENT") return null;
    const cause = code === "EISDIR" ? "it is a folder" : `${code}`;
    throw new EnvFileError(`The file ${path} cannot be read (${cause}): let the user who starts the site read it.`);
  }
}

/** UTF-8, or UTF-16 with its mark, as Notepad and PowerShell write it. @param {Buffer} bytes */
function decode(bytes) {
  const mark = bytes.subarray(0, 2).toString("hex");
  const encoding = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}
