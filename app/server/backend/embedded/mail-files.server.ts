import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { writeFileDurably } from "#supabase/embedded/folder/durable-files";

/**
 * Keeps a message as a file, where no mail server is set. It survives a power cut, a reader never meets half a message,
 * and a second delivery replaces the first.
 * @param name a plain file name ending in `.eml`
 * @throws when the folder cannot be written; the outbox then tries again
 */
export async function keepMailFile(folder: string, name: string, message: Uint8Array): Promise<void> {
  if (!/^[\w-]+\.eml$/.test(name)) throw new Error("A mail file needs a plain name.");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileDurably(join(folder, name), message, 0o600);
}
