import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileDurably } from "./durable-files.ts";

/** In the data folder; whoever can read it runs the site. */
export const setupCodeFile = "second-factor-setup-code";

/**
 * The code with which an admin may set up a second factor where one is required: made once (mode 0600), so that a stolen
 * password is not enough to set up one's own.
 */
export async function readOrMakeSetupCode(dataDir: string): Promise<string> {
  const path = join(dataDir, setupCodeFile);
  const stored = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  if (stored.trim() !== "") return stored.trim();
  const code = randomBytes(10)
    .toString("hex")
    .replace(/(.{5})(?=.)/g, "$1-");
  await writeFileDurably(path, `${code}\n`, 0o600);
  return code;
}
