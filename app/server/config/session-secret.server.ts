import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getSettings } from "./settings.server";
import { makePrivateFolder } from "./private-folder.server";

let secret: string | undefined;

/**
 * The secret that signs cookies: the operator's, else one that is made once and kept in the data folder.
 * @throws when the data folder cannot be written
 */
export function getSessionSecret(): string {
  const settings = getSettings();
  return (secret ??= settings.sessionSecret ?? keepSecret(settings.dataDir));
}

function keepSecret(dataDir: string): string {
  const path = join(dataDir, "session-secret");
  makePrivateFolder(dataDir);
  try {
    // "wx": of two that start at once, one writes and the other reads.
    writeFileSync(path, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(path, "utf8").trim();
}
