import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("..", import.meta.url));

/** Settings that name a file or a folder. */
const pathSettings = ["DATA_DIR", "SITE_ENV", "SITE_FACTS"];

/**
 * Prepares a command, which may be called in any folder: it works in the program's folder, or in one that holds a build.
 * @returns the caller's folder, for relative paths among the arguments
 */
export function prepareSurroundings() {
  // Only a checkout has sources. The archive and the image are production, where a command without a folder refuses.
  if (!existsSync(join(program, "app"))) process.env.NODE_ENV ??= "production";
  const here = findFolder();
  const isElsewhere = !existsSync("build/client");
  if (isElsewhere) {
    for (const name of pathSettings) if (process.env[name]) process.env[name] = resolve(here, process.env[name]);
    process.chdir(program);
  }
  nameCommands(isElsewhere ? `node ${quote(join(program, "bin/site.mjs"))}` : undefined);
  return (isFromNpm() && process.env.INIT_CWD) || here;
}

function findFolder() {
  try {
    return process.cwd();
  } catch {
    // The caller's folder was deleted, for example with an earlier version.
    return program;
  }
}

/**
 * Sets SITE_COMMAND, unless the wrapper, the unit or the image did. It repeats a DATA_DIR that no file holds.
 * @param {string} [node] the call without npm
 */
export function nameCommands(node = "node bin/site.mjs") {
  const folder = process.env.DATA_DIR && process.platform !== "win32" && quote(resolve(process.env.DATA_DIR));
  process.env.SITE_COMMAND ??= `${folder ? `DATA_DIR=${folder} ` : ""}${isFromNpm() ? "npm run" : node}`;
}

/** Returns true if npm runs a script of this program, not of a package around it. */
function isFromNpm() {
  const { npm_command: command, npm_package_json: manifest } = process.env;
  if (!manifest || command === "exec" || !existsSync(manifest)) return false;
  return realpathSync(manifest) === realpathSync(join(program, "package.json"));
}

/** Quotes a path for a shell, if it needs that. @param {string} path */
function quote(path) {
  return /^[\w./:@%+,-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
