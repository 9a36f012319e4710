// Makes the keys and settings of a self-hosted project:
// node deploy/self-hosted/make-settings.mjs https://firm.example /etc/site-project
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SignJWT } from "jose";

/**
 * @typedef {object} Secrets
 * @property {string} jwtSecret signs all tokens (HS256)
 * @property {string} siteKey
 * @property {string} sessionSecret
 */

/** @returns {Secrets} new ones */
export function makeSecrets() {
  const [jwtSecret = "", siteKey = "", sessionSecret = ""] = Array.from({ length: 3 }, () =>
    randomBytes(32).toString("hex"),
  );
  return { jwtSecret, siteKey, sessionSecret };
}

/**
 * Derives the settings of each part, by file name. The API keys are tokens that name a role, so the gateway can pass
 * them on as they are.
 * @param {{ siteUrl: string, projectUrl: string }} addresses the visitors' address, and the gateway's
 * @param {Secrets} secrets
 */
export async function makeSettings({ siteUrl, projectUrl }, { jwtSecret, siteKey, sessionSecret }) {
  const secretKey = await makeApiKey("service_role", jwtSecret);
  return {
    "auth.env": {
      GOTRUE_JWT_SECRET: jwtSecret,
      GOTRUE_SITE_URL: siteUrl,
      API_EXTERNAL_URL: `${projectUrl}/auth/v1`,
    },
    "rest.env": { PGRST_JWT_SECRET: jwtSecret },
    "functions.env": {
      SUPABASE_URL: projectUrl,
      SUPABASE_SECRET_KEY: secretKey,
      SITE_URL: siteUrl,
      SITE_KEY: siteKey,
      ADMIN_EMAILS: "",
      MAIL_FROM: "",
      CONTACT_TO: "",
      SMTP_URL: "",
      SMTP_USER: "",
      SMTP_PASSWORD: "",
      FIRM_NAME: "",
      FIRM_ADDRESS: "",
      FOUNDER_NAME: "",
    },
    "site.env": {
      SITE_URL: siteUrl,
      TRUSTED_PROXIES: "1",
      SUPABASE_URL: projectUrl,
      SUPABASE_PUBLISHABLE_KEY: await makeApiKey("anon", jwtSecret),
      SITE_KEY: siteKey,
      SESSION_SECRET: sessionSecret,
    },
    // A header for the timers.
    "secret-key": `apikey: ${secretKey}\n`,
  };
}

/** @param {"anon" | "service_role"} role @param {string} jwtSecret */
function makeApiKey(role, jwtSecret) {
  return new SignJWT({ role })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setAudience("authenticated")
    .setIssuedAt()
    .setExpirationTime("100 years")
    .sign(new TextEncoder().encode(jwtSecret));
}

/** @param {string | undefined} siteUrl @param {string | undefined} folder */
async function main(siteUrl, folder) {
  if (!siteUrl || !folder || !URL.canParse(siteUrl)) {
    console.error("Usage: node deploy/self-hosted/make-settings.mjs https://firm.example /etc/site-project");
    return 2;
  }
  const addresses = { siteUrl: siteUrl.replace(/\/+$/, ""), projectUrl: "http://127.0.0.1:8000" };
  const files = Object.entries(await makeSettings(addresses, makeSecrets()));
  const existing = files.map(([name]) => join(folder, name)).filter((file) => existsSync(file));
  if (existing.length > 0) {
    console.error(`Nothing was written: ${existing.join(", ")} would be replaced.`);
    return 1;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, content] of files) {
    const text = typeof content === "string" ? content : formatSettings(content);
    await writeFile(join(folder, name), text, { mode: 0o600, flag: "wx" });
  }
  console.log(
    `Wrote ${files.map(([name]) => join(folder, name)).join(", ")}. Fill in the empty lines of functions.env.`,
  );
  return 0;
}

/** @param {Record<string, string>} settings */
function formatSettings(settings) {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await main(process.argv[2], process.argv[3]);
}
