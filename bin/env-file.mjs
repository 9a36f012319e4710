import { closeSync, fstatSync, openSync, readFileSync, readlinkSync } from "node:fs";
import { parseEnv } from "./parse-env.mjs";

/** @typedef {import("../app/server/config/setting-names.server").VariableInFile} VariableInFile */

/** A hundred times the size that a site needs. */
const largestBytes = 256 * 1024;
const mostMistakes = 20;

/** Error about the settings file: one line for each mistake, without values. */
class EnvFileError extends Error {
  /** @override */
  name = "EnvFileError";
}

/**
 * Sets variables from the settings file unless they are already set; an empty value counts as not set. SITE_ENV names the
 * file. Without it, it is `.env` in the current folder, which need not exist.
 * @returns {VariableInFile[]} the variables in it that have a value; none if there is no file
 * @throws {EnvFileError} with every mistake; no variable is set then
 */
export function loadEnvFile() {
  const named = process.env.SITE_ENV?.trim();
  const file = named || ".env";
  // A descriptor that root opened can be read by its number only: its path belongs to root still.
  const descriptor = /^\/dev\/fd\/(\d+)$/.exec(file)?.[1];
  const path = nameFile(file, descriptor);
  const found = readBytes(path, descriptor === undefined ? file : Number(descriptor), !named);
  if (found === null) return [];
  const { settings, mistakes } = parseEnv(decode(found.bytes));
  if (mistakes.length > 0) {
    const count = mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`;
    const shown = mistakes.slice(0, mostMistakes).join("\n- ");
    throw new EnvFileError(`The file ${path} has ${count}:\n- ${shown}`);
  }
  const given = [...settings].filter(([, { value }]) => value.trim() !== "");
  return given.map(([name, { value, line }]) => {
    const before = (Object.hasOwn(process.env, name) && process.env[name]?.trim()) || "";
    if (before === "") process.env[name] = value;
    return {
      name,
      place: `line ${line} of ${path}`,
      isOverridden: before !== "" && before !== value.trim(),
      openFile: found.isOpen ? path : null,
    };
  });
}

/**
 * Names the file as the operator knows it.
 * @param {string} given
 * @param {string | undefined} descriptor
 */
function nameFile(given, descriptor) {
  // systemd copies the file into a folder of the service.
  if (descriptor === undefined) return given.replace(`${process.env.CREDENTIALS_DIRECTORY}/`, "");
  try {
    const path = readlinkSync(`/proc/self/fd/${descriptor}`);
    return path.startsWith("/") ? path : given;
  } catch {
    return given;
  }
}

/**
 * @param {string} path for messages
 * @param {string | number} source path or descriptor
 * @param {boolean} mayBeAbsent
 * @returns {{ bytes: Buffer, isOpen: boolean } | null} `isOpen` if every user may read it; null if there is no file
 */
function readBytes(path, source, mayBeAbsent) {
  try {
    const file = typeof source === "number" ? source : openSync(source, "r");
    const found = fstatSync(file);
    if (!found.isFile() && !found.isFIFO()) {
      const kind = found.isDirectory() ? "a folder" : "no file";
      throw new EnvFileError(
        `${path} is ${kind}: put the settings into a file of that name, or set SITE_ENV to theirs.`,
      );
    }
    if (found.size > largestBytes)
      throw new EnvFileError(`The file ${path} is too large: settings fit into ${largestBytes / 1024} kB.`);
    const bytes = readFileSync(file);
    closeSync(file);
    return { bytes, isOpen: process.platform !== "win32" && (found.mode & 0o004) !== 0 };
  } catch (error) {
    if (error instanceof EnvFileError) throw error;
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "ENOENT" && mayBeAbsent) return null;
    if (code === "ENOENT")
      throw new EnvFileError(`There is no file ${path}: create it, or set SITE_ENV to the settings file.`);
    const user = process.getuid === undefined ? "" : `, whose id is ${process.getuid()}`;
    throw new EnvFileError(
      `Cannot read the file ${path} (${code}): make it readable for the user that starts the site${user}.`,
    );
  }
}

/** Decodes UTF-8, or UTF-16 with a byte order mark as written by Notepad and PowerShell. @param {Buffer} bytes */
function decode(bytes) {
  const mark = bytes.subarray(0, 2).toString("hex");
  const encoding = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}
