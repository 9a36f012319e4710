import { loadModule } from "../../scripts/load-module.mjs";
import { ask } from "../../tests/support/ask.mjs";
import { cookieJars, queries } from "../../tests/support/real-requests.mjs";
import { idPlaceholder } from "./load.mjs";

/**
 * A request, and the status that its response must have; `Host` is the address that it goes to.
 * @typedef {{ method?: "GET" | "POST", path: string, headers?: Record<string, string>, body?: string, status: number }} KnownRequest
 */

/** Every current browser sends it. */
const encodings = { "Accept-Encoding": "gzip, deflate, br, zstd" };

/** Robots look for these on every host, as any server's log shows. */
const robotPaths = "/wp-login.php /xmlrpc.php /.env /.git/config /phpmyadmin/index.php /backup.zip /ads.txt /feed";

/**
 * Lists requests by kind, each list to be sent in turn. They are the same at every call, but for tags.
 * @param {number} port of the product, which is asked for the pages' tags
 */
export async function listRequests(port) {
  const { sitePages } = /** @type {typeof import("../../app/content/site-pages")} */ (
    await loadModule("app/content/site-pages.ts")
  );
  const paths = sitePages.map(({ path }) => path);
  // A bare question mark is redirected to the page without it.
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

/** The GETs of a day, in percent: a small firm's site once it advertises. */
const day = { pages: 38, visited: 41, known: 11, missing: 10 };

/** Mixes a day's requests. @param {Awaited<ReturnType<typeof listRequests>>} lists @returns {KnownRequest[]} */
export function makeDay(lists) {
  const kinds = /** @type {(keyof typeof day)[]} */ (Object.keys(day)).flatMap((kind) =>
    Array.from({ length: day[kind] }, () => lists[kind]),
  );
  return Array.from({ length: 8 * kinds.length }, (_, index) => {
    // 37 and 100 have no factor in common, so that each hundred holds every percent once and the kinds take turns.
    const list = kinds[(index * 37) % kinds.length] ?? [];
    return list[index % list.length];
  }).flatMap((request) => request ?? []);
}

/** @param {string} path @param {Record<string, string>} [headers] @returns {KnownRequest} */
export function get(path, headers = {}) {
  return { path, headers: { ...encodings, ...headers }, status: 200 };
}

/** @param {number} port @param {string} path @returns {Promise<KnownRequest>} of a browser that has this page already */
async function getKnown(port, path) {
  const { headers } = await ask(port, get(path));
  const tag = headers[headers.findIndex((name) => name.toLowerCase() === "etag") + 1];
  if (!tag?.includes('"')) throw new Error(`${path} has no tag.`);
  return { ...get(path, { "If-None-Match": tag }), status: 304 };
}

/** @param {string} origin @returns {KnownRequest} */
function makeMessage(origin) {
  // The same message sent twice is one.
  const body = `name=Grace+Hopper&email=grace%40harbor.example&company=Harbor+Clinics&stage=Growth+stage&goal=Automate+intake\
&message=We+run+${idPlaceholder}+clinics.+Can+we+talk%3F&privacyConsent=on`;
  const headers = { ...encodings, Origin: origin, "Content-Type": "application/x-www-form-urlencoded" };
  return { method: "POST", path: "/contact", headers, body, status: 303 };
}
