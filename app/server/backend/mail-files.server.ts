import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";

/**
 * Keeps a message as a file, where no mail server is set. Written under another name first and moved into place when it
 * is on disk, so that a reader never meets half a message and a second delivery replaces the first.
 * @param name a plain file name ending in `.eml`
 * @throws when the folder cannot be written; the outbox then tries again
 */
export async function keepMailFile(folder: string, name: string, message: Uint8Array): Promise<void> {
  if (!/^[\w-]+\.eml$/.test(name)) throw new Error("A mail file needs a plain name.");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${name}.draft`);
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(message);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, name));
}
