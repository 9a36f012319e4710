import type { BrowserContext, Page } from "playwright/test";
import { type CookieFact, cookies, sessionStorageEntries } from "~/content/cookie-registry";

const registry: CookieFact[] = Object.values(cookies);
/** Browsers cap a cookie's lifetime at 400 days, in seconds here (RFC 6265bis, section 5.5). */
const maxCookieAge = 400 * 24 * 60 * 60;

/** Requests and stored data of a browser, from its first page on. */
export interface Traces {
  /** requests to other hosts */
  foreignRequests: string[];
  /**
   * Returns stored data that the registry does not list or does not allow for so long: every cookie that a response has
   * set since the last call, even if it is already gone, and everything that the browser now stores.
   */
  findUnlisted(): Promise<string[]>;
  /** Returns the names of the stored cookies in alphabetical order. */
  listCookies(): Promise<string[]>;
}

/** Starts watching a page. */
export function watchTraces(page: Page, context: BrowserContext, origin: string): Traces {
  const foreignRequests: string[] = [];
  const setCookies: Promise<string[]>[] = [];
  page.on("request", (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (protocol !== "data:" && target !== origin) foreignRequests.push(request.url());
  });
  page.on("response", (response) => void setCookies.push(response.headerValues("set-cookie").catch(() => [])));
  return {
    foreignRequests,
    findUnlisted: async () => {
      const lines = (await Promise.all(setCookies.splice(0))).flat();
      const storedCookies = (await context.cookies()).map(({ name, expires }) => {
        return checkCookie(name, expires === -1 ? "session" : expires - Date.now() / 1000);
      });
      return [...lines.map(checkSetCookie), ...storedCookies, ...(await findStored(page))].filter(
        (text) => text !== null,
      );
    },
    listCookies: async () => (await context.cookies()).map(({ name }) => name).toSorted(),
  };
}

/** @param line value of a `Set-Cookie` header */
function checkSetCookie(line: string): string | null {
  const lifetime = /; Max-Age=(-?\d+)/i.exec(line)?.[1];
  if (lifetime === undefined && /; Expires=/i.test(line)) return `${line}: has Expires but no Max-Age`;
  // Any cookie may be deleted.
  if (Number(lifetime) <= 0) return null;
  return checkCookie(line.slice(0, line.indexOf("=")), lifetime === undefined ? "session" : Number(lifetime), Infinity);
}

/** @param lifetime remaining time in seconds */
function checkCookie(name: string, lifetime: number | "session", cap = maxCookieAge): string | null {
  const fact = registry.find(
    ({ name: listed }) => listed === name || (listed.endsWith("*") && name.startsWith(listed.slice(0, -1))),
  );
  if (!fact) return `the cookie ${name} is not listed`;
  const listed = fact.lifetime === "session" ? 0 : Math.min(fact.lifetime, cap);
  // One second for differences between the clocks of browser and test.
  const isTooLong = lifetime !== "session" && lifetime > listed + 1;
  return isTooLong ? `the cookie ${name} lasts ${lifetime} s, and not ${fact.lifetime}` : null;
}

async function findStored(page: Page): Promise<string[]> {
  const { session, ...others } = await page.evaluate(async () => ({
    session: Object.keys(sessionStorage),
    local: Object.keys(localStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name ?? ""),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
  }));
  const listed: string[] = Object.values(sessionStorageEntries);
  return [
    ...session.filter((key) => !listed.includes(key)).map((key) => `session storage: ${key}`),
    ...Object.entries(others).flatMap(([store, keys]) => keys.map((key) => `${store}: ${key}`)),
  ];
}
