import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import { readClaims, signToken } from "../../database/support/postgres/json-web-token";
import { awaitStepWithTime } from "../../support/totp-step";
import { type Visitor, readText } from "../../support/visitor";

/** An authenticator app that has scanned the QR code of a page. */
export interface Authenticator {
  /** the code that set it up */
  firstCode: string;
  /** returns the current code; `firstCode` came from the step before, so that no test waits for the next step */
  nextCode(): string;
  recoveryCodes: string[];
}

const ownPage = "/admin/account/second-factor";

/** Sets up a second factor like a signed-in admin. */
export async function setUpSecondFactor(admin: Visitor): Promise<Authenticator> {
  const scan = await admin.post(ownPage, { intent: "begin" });
  const { fields, code } = readScan(scan.html);
  await awaitStepWithTime();
  const firstCode = code(-1);
  const done = await admin.post(ownPage, { ...fields, intent: "finish", code: firstCode });
  const recoveryCodes = Array.from(
    done.html.matchAll(/<li class="recovery-code">([^<]+)<\/li>/g),
    ([, text = ""]) => text,
  );
  if (recoveryCodes.length !== 10) throw new Error(`no second factor was set up (${done.status})`);
  return { firstCode, nextCode: () => code(), recoveryCodes };
}

/** Reads the form of a page that shows a QR code, and makes codes from its key. */
export function readScan(html: string): { fields: Record<string, string>; code: (steps?: number) => string } {
  const read = (name: string) =>
    (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "").replaceAll("&amp;", "&");
  const uri = read("uri");
  const secret = Secret.fromBase32(new URL(uri).searchParams.get("secret") ?? "");
  if (!readText(html).replaceAll(" ", "").includes(secret.base32)) throw new Error("the key is not on the page");
  const code = (steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
  return { fields: { factorId: read("factorId"), uri }, code };
}

/** Content of the session's cookie. */
interface StoredSession {
  access_token: string;
  refresh_token: string;
  /** seconds since 1970; a session that ended is renewed first, as after an hour without use */
  expires_at: number;
}

/** Writes the cookie of a session. */
export const sessionCookie = (session: object) =>
  `base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`;

/** Reads the session from its cookie. */
export function readSession(cookie: string | undefined): StoredSession {
  return JSON.parse(Buffer.from((cookie ?? "").replace("base64-", ""), "base64url").toString()) as StoredSession;
}

/**
 * Moves the sign-in into the past by changing the token, which is signed with the site's own key.
 * @param only the authentication method to age; by default all of them
 */
export function ageSignIn(admin: Visitor, dataDir: string, minutes: number, only?: "password"): void {
  const { jwtSecret } = JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8")) as { jwtSecret: string };
  const session = readSession(admin.cookie("admin-session"));
  const claims = readClaims(session.access_token) as { amr: { method: string; timestamp: number }[] };
  const amr = claims.amr.map(({ method, timestamp }) => ({
    method,
    timestamp: only !== undefined && method !== only ? timestamp : timestamp - minutes * 60,
  }));
  const aged = { ...session, access_token: signToken({ ...claims, amr }, jwtSecret) };
  admin.setCookie("admin-session", sessionCookie(aged));
}
