import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "./parse-env.mjs";

/** A hundred times the size that a site needs. */
const largestBytes = 256 * 1024;

/** Error about an `.env` file: one line for each mistake, without values. */
class EnvFileError extends Error {
  /** @override */
  name = "EnvFileError";
}

/**
 * Sets variables from a file unless they are already set, like `process.loadEnvFile`.
 * @param {string} [path]
 * @returns {string[]} the names in it; none if there is no file
 * @throws {EnvFileError} with every mistake; no variable is set then
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

/** @param {string} path @returns {Buffer | null} null if there is no file */
function readBytes(path) {
  try {
    const { size } = statSync(path);
    if (size > largestBytes)
      throw new EnvFileError(`The file ${path} is too large: settings fit into ${largestBytes / 1024} kB.`);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof EnvFileError) throw error;
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "ENOENT") return null;
    const cause = code === "EISDIR" ? "it is a folder" : `${code}`;
    throw new EnvFileError(
      `Cannot read the file ${path} (${cause}): make it readable for the user that starts the site.`,
    );
  }
}

/** Decodes UTF-8, or UTF-16 with a byte order mark as written by Notepad and PowerShell. @param {Buffer} bytes */
function decode(bytes) {
  const mark = bytes.subarray(0, 2).toString("hex");
  const encoding = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}
