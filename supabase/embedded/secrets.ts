import { hkdfSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { readJsonFile, writeFileDurably } from "./folder/durable-files.ts";

const secretsSchema = z.object({
  publishableKey: z.string().startsWith("sb_publishable_"),
  secretKey: z.string().startsWith("sb_secret_"),
  jwtSecret: z.string().min(32),
});

/** File with the keys of a data folder. */
export const secretsName = "secrets.json";

/** Keys of one data folder. They survive restarts, so that sessions and configured clients keep working. */
export type Secrets = z.output<typeof secretsSchema>;

/**
 * Reads `secrets.json`, or creates it (0600) if absent.
 * @throws when the file exists but cannot be used: replacing it silently would end every session
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  return (await findSecrets(dataDir)) ?? createSecrets(join(dataDir, secretsName));
}

/** Reads `secrets.json`. Returns null if it is absent. @throws when the file exists but cannot be used */
export async function findSecrets(dataDir: string): Promise<Secrets | null> {
  const path = join(dataDir, secretsName);
  return readJsonFile(path, secretsSchema).catch((error: unknown) => {
    if (error instanceof Error && "syscall" in error) throw error;
    throw new Error(
      `${path} is damaged. Restore it from a backup, or delete it. Deleting it creates new keys and ends all sessions.`,
    );
  });
}

/** Derives the key of the digests that the server gives to `doctor`, which reads the same file (HKDF, RFC 5869). */
export function deriveDigestKey({ jwtSecret }: Pick<Secrets, "jwtSecret">): Buffer {
  return Buffer.from(hkdfSync("sha256", jwtSecret, "", "advisory-website settings", 32));
}

async function createSecrets(path: string): Promise<Secrets> {
  const secrets: Secrets = {
    publishableKey: `sb_publishable_${randomBytes(24).toString("base64url")}`,
    secretKey: `sb_secret_${randomBytes(24).toString("base64url")}`,
    jwtSecret: randomBytes(48).toString("base64url"),
  };
  await writeFileDurably(path, `${JSON.stringify(secrets, null, 2)}\n`, 0o600);
  return secrets;
}
