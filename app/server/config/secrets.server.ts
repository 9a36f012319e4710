import { hkdfSync, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeal } from "#supabase/embedded/auth/factors/sealed-secret";
import { makePrivateFolder } from "./private-folder.server";
import type { Settings } from "./settings.server";

/** Purpose of a derived key. A key for one purpose cannot serve another, or sign a cookie. */
export type KeyPurpose = "notices" | "rate-limits" | "echo" | "searches";

/** Secrets of this site. All functions throw if the data folder cannot be written. */
export type Secrets = ReturnType<typeof createSecrets>;

/**
 * Creates the secrets of a site. It reads files only on the first call: a restore may bring the secret while this
 * process waits for the data folder.
 */
export function createSecrets(settings: Pick<Settings, "sessionSecret" | "dataDir" | "siteKey" | "backend">) {
  const { sessionSecret, dataDir, siteKey, backend } = settings;
  let secret = sessionSecret;
  const ownSiteKey = randomBytes(32).toString("base64url");
  const session = () => (secret ??= readOrMakeSecret(dataDir));
  return {
    /** signs cookies: the operator's secret, otherwise one that is generated once and stored in the data folder */
    session,
    /**
     * signs calls of edge functions: the operator's SITE_KEY with a hosted project, otherwise a key that this process
     * shares with its embedded backend; null if there is none
     */
    site: () => siteKey ?? (backend.kind === "embedded" ? ownSiteKey : null),
    /** derives a 32-byte key that all processes with the same session secret share (HKDF, RFC 5869) */
    derive: (purpose: KeyPurpose) => Buffer.from(hkdfSync("sha256", session(), "", `advisory-website ${purpose}`, 32)),
    /** encrypts texts that browsers keep for all processes with the same session secret (AES-256-GCM) */
    seal: (purpose: KeyPurpose) => createSeal(session(), `advisory-website ${purpose}`),
  };
}

function readOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, "session-secret");
  makePrivateFolder(dataDir);
  try {
    // With "wx", one of two processes that start at the same time writes, and the other reads.
    writeFileSync(path, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(path, "utf8").trim();
}
