import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Where the web tier keeps messages while a hosted project is away (CONTACT_SPOOL): each in a file of its own, sealed by
 * a key from the session secret.
 */
export const spoolFolder = "contact-spool";

/** Sealed messages by the name of their file; 20 MB at most, which is all that a spool takes. */
export type SpooledMessages = Map<string, Buffer>;

/**
 * Reads every message that waits in a data folder; none where there is no spool. Must be read before the database is
 * copied: a message that is delivered meanwhile is then in the database, or here, or in both, and its key makes it count
 * once. The other way round it could be in neither.
 */
export async function readSpooledMessages(dataDir: string): Promise<SpooledMessages> {
  const folder = join(dataDir, spoolFolder);
  const messages: SpooledMessages = new Map();
  for (const name of (await readdir(folder).catch(nullIfAbsent)) ?? []) {
    // Anything else is not whole yet.
    if (!name.endsWith(".sealed")) continue;
    const sealed = await readFile(join(folder, name)).catch(nullIfAbsent);
    if (sealed) messages.set(name, sealed);
  }
  return messages;
}

/** Puts them into a folder that holds no spool yet; makes none for no messages. */
export async function writeSpooledMessages(folder: string, messages: SpooledMessages): Promise<void> {
  if (messages.size === 0) return;
  await mkdir(join(folder, spoolFolder), { mode: 0o700 });
  for (const [name, sealed] of messages) await writeFile(join(folder, spoolFolder, name), sealed, { mode: 0o600 });
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
