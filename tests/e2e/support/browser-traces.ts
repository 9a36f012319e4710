import type { BrowserContext, Page } from "playwright/test";
import { type CookieFact, cookies, sessionStorageEntries } from "~/content/cookie-registry";

const registry: CookieFact[] = Object.values(cookies);
/** Browsers keep no cookie longer, whatever is asked for (RFC 6265bis, section 5.5). */
const maxCookieAge = 400 * 24 * 60 * 60;

/** What a browser was given and asked for, from its first page on. */
export interface Traces {
  /** requests to other hosts */
  foreignRequests: string[];
  /**
   * What the registry does not list, or does not allow to stay so long: every cookie that an answer has set since the
   * last call, even if it is gone again, and whatever the browser now keeps in any of its stores.
   */
  findUnlisted(): Promise<string[]>;
  /** Names of the cookies that the browser now keeps, in alphabetical order. */
  listCookies(): Promise<string[]>;
}

/** Begins to watch a page. */
export function watchTraces(page: Page, context: BrowserContext, origin: string): Traces {
  const foreignRequests: string[] = [];
  const answers: Promise<string[]>[] = [];
  page.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol !== "data:" && asked !== origin) foreignRequests.push(request.url());
  });
  page.on("response", (response) => void answers.push(response.headerValues("set-cookie").catch(() => [])));
  return {
    foreignRequests,
    findUnlisted: async () => {
      const lines = (await Promise.all(answers.splice(0))).flat();
      const kept = (await context.cookies()).map(({ name, expires }) => {
        return judge(name, expires === -1 ? "session" : expires - Date.now() / 1000);
      });
      return [...lines.map(judgeLine), ...kept, ...(await findStored(page))].filter((text) => text !== null);
    },
    listCookies: async () => (await context.cookies()).map(({ name }) => name).toSorted(),
  };
}

/** @param line as in `Set-Cookie` */
function judgeLine(line: string): string | null {
  const lifetime = /; Max-Age=(-?\d+)/i.exec(line)?.[1];
  if (lifetime === undefined && /; Expires=/i.test(line)) return `${line}: only a date says how long it stays`;
  // Whatever it is, it goes.
  if (Number(lifetime) <= 0) return null;
  return judge(line.slice(0, line.indexOf("=")), lifetime === undefined ? "session" : Number(lifetime), Infinity);
}

/** @param lifetime what is left of it, in seconds */
function judge(name: string, lifetime: number | "session", cap = maxCookieAge): string | null {
  const fact = registry.find(
    ({ name: listed }) => listed === name || (listed.endsWith("*") && name.startsWith(listed.slice(0, -1))),
  );
  if (!fact) return `the cookie ${name} is not listed`;
  const listed = fact.lifetime === "session" ? 0 : Math.min(fact.lifetime, cap);
  // A second for the clocks of browser and test.
  const isTooLong = lifetime !== "session" && lifetime > listed + 1;
  return isTooLong ? `the cookie ${name} stays ${lifetime} s and not ${fact.lifetime}` : null;
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
