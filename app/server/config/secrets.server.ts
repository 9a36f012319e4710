import { hkdfSync, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "./private-folder.server";
import type { Settings } from "./settings.server";

/** What a key is made for: none can stand in for another, or for a cookie's signature. */
export type KeyPurpose = "notices" | "rate-limits";

/** What this site signs and names things with. All throw when the data folder cannot be written. */
export interface Secrets {
  /** signs cookies: the operator's secret, else one that is made once and kept in the data folder */
  session(): string;
  /**
   * signs calls of the edge functions: the operator's SITE_KEY with a hosted project, else a key that this process and its own
   * backend share; null where there is none
   */
  site(): string | null;
  /** a key of 32 bytes that all processes with the same session secret share (HKDF, RFC 5869) */
  derive(purpose: KeyPurpose): Buffer;
}

/** Reads nothing before it is asked for: a restore may bring the secret while the data folder is being taken. */
export function createSecrets(settings: Pick<Settings, "sessionSecret" | "dataDir" | "siteKey" | "backend">): Secrets {
  const { sessionSecret, dataDir, siteKey, backend } = settings;
  const keys = new Map<KeyPurpose, Buffer>();
  let secret = sessionSecret;
  const ownSiteKey = randomBytes(32).toString("base64url");
  const session = () => (secret ??= readOrMakeSecret(dataDir));
  return {
    session,
    site: () => siteKey ?? (backend.kind === "embedded" ? ownSiteKey : null),
    derive(purpose) {
      const known = keys.get(purpose);
      if (known) return known;
      const key = Buffer.from(hkdfSync("sha256", session(), "", `advisory-website ${purpose}`, 32));
      keys.set(purpose, key);
      return key;
    },
  };
}

function readOrMakeSecret(dataDir: string): string {
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
