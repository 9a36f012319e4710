import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * Path under which the server tells the operator's command how a request arrived. The command signs it with a key that
 * only the site's own processes can derive, so the server needs to keep nothing, and no one else gets a response.
 */
const prefix = "/.well-known/site-echo/";
const validMs = 60_000;

/** Makes a path that the servers of this site accept for a minute. */
export function makeEchoPath(key: Buffer, now = Date.now()): string {
  const signed = `${now + validMs}.${randomBytes(12).toString("hex")}`;
  return `${prefix}${signed}.${sign(key, signed)}`;
}

/** Returns true for a path that this site's command made within the last minute. */
export function isEchoPath(findKey: () => Buffer, path: string, now = Date.now()): boolean {
  if (!path.startsWith(prefix)) return false;
  const [, signed = "", until = "", given = ""] =
    /^((\d{13})\.[0-9a-f]{24})\.([\w-]{43})$/.exec(path.slice(prefix.length)) ?? [];
  if (given === "" || Number(until) < now || Number(until) > now + 2 * validMs) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(sign(findKey(), signed)));
}

function sign(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
