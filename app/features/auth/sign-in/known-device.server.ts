import { createHash, randomUUID } from "node:crypto";
import { createCookie } from "@remix-run/node";
import { z } from "zod";
import type { SiteContext } from "~/server/site-context.server";

/**
 * Signed cookie of a device that has signed in to an account before (OWASP, "device cookies"). Its attempts have their
 * own counter, so that strangers who guess an account's password never lock its owner out.
 */
const knownDeviceSchema = z.object({
  id: z.string(),
  accounts: z.array(z.string()),
  /** in milliseconds since 1970: a copied cookie must end, too */
  until: z.number(),
});

type KnownDevice = z.output<typeof knownDeviceSchema>;

const createDeviceCookie = ({ cookies, secrets }: SiteContext) =>
  createCookie(cookies.name("knownDevice"), { ...cookies.attributes("knownDevice"), secrets: [secrets.session()] });

/** Finds the id of a device that has signed in to this account before, else null. */
export async function findKnownDevice(site: SiteContext, request: Request, email: string): Promise<string | null> {
  const device = await parseDevice(site, request);
  return device?.accounts.includes(accountKey(email)) ? device.id : null;
}

/** Checks if this device has signed in to any account here. */
export async function isKnownDevice(site: SiteContext, request: Request): Promise<boolean> {
  return (await parseDevice(site, request)) !== null;
}

/**
 * Creates the `Set-Cookie` value that makes this device known for the account. A device is known for its last five
 * accounts.
 */
export async function setKnownDevice(site: SiteContext, request: Request, email: string): Promise<string> {
  const device = await parseDevice(site, request);
  const key = accountKey(email);
  const accounts = [key, ...(device?.accounts.filter((account) => account !== key) ?? [])].slice(0, 5);
  const known: KnownDevice = {
    id: device?.id ?? randomUUID(),
    accounts,
    until: Date.now() + Number(site.cookies.lifetime("knownDevice")) * 1_000,
  };
  return site.feature(createDeviceCookie).serialize(known);
}

/** Hashes an email address, so that a cookie or counter can identify the account without storing the address. */
export function accountKey(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("base64url").slice(0, 22);
}

async function parseDevice(site: SiteContext, request: Request): Promise<KnownDevice | null> {
  const value: unknown = await site.feature(createDeviceCookie).parse(request.headers.get("cookie"));
  const device = knownDeviceSchema.safeParse(value).data;
  return device && device.until > Date.now() ? device : null;
}
