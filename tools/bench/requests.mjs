import { loadModule } from "../../scripts/load-module.mjs";
import { ask } from "../../tests/support/ask.mjs";
import { cookieJars, queries } from "../../tests/support/real-requests.mjs";
import { idPlaceholder } from "./load.mjs";

/**
 * A request, and the expected status of its response; `Host` is the address that it goes to.
 * @typedef {{ method?: "GET" | "POST", path: string, headers?: Record<string, string>, body?: string, status: number }}
 * KnownRequest
 */

/** Header that every current browser sends. */
const encodings = { "Accept-Encoding": "gzip, deflate, br, zstd" };

/** Paths that robots request on every host, as any server's log shows. */
const robotPaths = "/wp-login.php /xmlrpc.php /.env /.git/config /phpmyadmin/index.php /backup.zip /ads.txt /feed";

/**
 * Lists requests by kind, each list to be sent in turn. The lists are the same at every call, except for entity tags.
 * @param {number} port of the product, which supplies the pages' entity tags
 */
export async function listRequests(port) {
  const { sitePages } = /** @type {typeof import("../../app/content/site-pages")} */ (
    await loadModule("app/content/site-pages.ts")
  );
  const paths = sitePages.map(({ path }) => path);
  // The site redirects a bare question mark to the page without it.
  const rendered = queries.filter((query) => query !== "?");
  const known = [];
  for (const path of paths) known.push(await getKnown(port, path));
  return {
    pages: paths.map((path) => get(path)),
    visited: Array.from({ length: 400 }, (_, index) => {
      const cookie = cookieJars[Math.floor(index / 10) % cookieJars.length] ?? "";
      return get(`${paths[index % paths.length]}${rendered[index % rendered.length]}`, { Cookie: cookie });
    }),
    known,
    missing: robotPaths.split(" ").map((path) => ({ ...get(path), status: 404 })),
    message: makeMessage(`http://localhost:${port}`),
  };
}

/** Percentages of GETs in a day of a small firm's site that advertises. */
const day = { pages: 38, visited: 41, known: 11, missing: 10 };

/** Mixes a day's requests. @param {Awaited<ReturnType<typeof listRequests>>} lists @returns {KnownRequest[]} */
export function makeDay(lists) {
  const kinds = /** @type {(keyof typeof day)[]} */ (Object.keys(day)).flatMap((kind) =>
    Array.from({ length: day[kind] }, () => lists[kind]),
  );
  return Array.from({ length: 8 * kinds.length }, (_, index) => {
    // 37 and 100 are coprime, so that each hundred requests use every percent once and the kinds alternate.
    const list = kinds[(index * 37) % kinds.length] ?? [];
    return list[index % list.length];
  }).flatMap((request) => request ?? []);
}

/** @param {string} path @param {Record<string, string>} [headers] @returns {KnownRequest} */
export function get(path, headers = {}) {
  return { path, headers: { ...encodings, ...headers }, status: 200 };
}

/**
 * @param {number} port @param {string} path @returns {Promise<KnownRequest>} the request of a browser that has cached
 *   this page
 */
async function getKnown(port, path) {
  const { headers } = await ask(port, get(path));
  const tag = headers[headers.findIndex((name) => name.toLowerCase() === "etag") + 1];
  if (!tag?.includes('"')) throw new Error(`${path} has no tag.`);
  return { ...get(path, { "If-None-Match": tag }), status: 304 };
}

/** @param {string} origin @returns {KnownRequest} */
function makeMessage(origin) {
  // The site accepts an identical message only once.
  const body = `name=Grace+Hopper&email=grace%40harbor.example&company=Harbor+Clinics&stage=Growth+stage&goal=Automate+intake\
&message=We+run+${idPlaceholder}+clinics.+Can+we+talk%3F&privacyConsent=on`;
  const headers = { ...encodings, Origin: origin, "Content-Type": "application/x-www-form-urlencoded" };
  return { method: "POST", path: "/contact", headers, body, status: 303 };
}
