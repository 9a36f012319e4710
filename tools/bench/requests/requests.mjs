import { loadModule } from "../../../scripts/load-module.mjs";
import { cookieJars, queries } from "../../../tests/support/real-requests.mjs";
import { ask } from "../generators/ask.mjs";

/** @typedef {import("../generators/autocannon.mjs").LoadRequest & { status: number }} KnownRequest `status`: what it must be answered with */

/** What every browser of today sends. */
const encodings = { "Accept-Encoding": "gzip, deflate, br, zstd" };

/** Cookies that this site removes where they are not allowed. */
const analyticsCookie = /(?:^|; ?)(?:_ga|_gid|_fbp|_gcl_au|__utma)/;
const ownChoice = /(?:^|; ?)cookie-consent=v=1\.0&/;

/** Pages with forms, and with words about a visitor's own choice. */
const formPages = ["/contact", "/data-rights", "/cookie-policy", "/login"];

/** What robots look for on every host, as any server's log shows. */
const robotPaths = [
  "/wp-login.php",
  "/wp-admin/setup-config.php",
  "/xmlrpc.php",
  "/.env",
  "/.git/config",
  "/phpmyadmin/index.php",
  "/administrator/index.php",
  "/vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php",
  "/cgi-bin/luci/;stok=/locale",
  "/actuator/health",
  "/server-status",
  "/backup.zip",
  "/old/index.html",
  "/wp-content/plugins/elementor/readme.txt",
  "/.well-known/traffic-advice",
  "/ads.txt",
  "/api/v1/users",
  "/owa/auth/logon.aspx",
  "/config.json",
  "/telescope/requests",
  "/solr/admin/info/system?wt=json",
  "/index.php?s=/Index/\\think\\app/invokefunction".replaceAll("\\", "%5C"),
  "/blog",
  "/feed",
];

/** In a form's field it stands for a text that is different in each request: the same message sent twice is one. */
export const idPlaceholder = "[<id>]";

const message = {
  name: "Grace Hopper",
  email: "grace@harbor.example",
  company: "Harbor Clinics",
  stage: "Growth stage",
  goal: "Automate intake",
  message: `We run nine clinics.\r\nCan we talk? ${idPlaceholder}`,
  privacyConsent: "on",
};

/**
 * Lists what visitors and robots ask for, by kind; each list is to be asked for in turn.
 * @param {{ port: number, origin?: string }} site `port` is asked for the pages' tags; `origin` is what browsers call it
 * @returns the same lists at every call, but for tags
 */
export async function listRequests({ port, origin = `http://localhost:${port}` }) {
  const { sitePages } = /** @type {typeof import("../../../app/content/site-pages")} */ (
    await loadModule("app/content/site-pages.ts")
  );
  const paths = sitePages.map(({ path }) => path);
  const pick = makePick();
  const campaigns = queries.filter((query) => query.length > 2);
  // A bare question mark is redirected to the page without it.
  const answered = queries.filter((query) => query !== "?");
  const known = [];
  for (const path of paths) known.push(await getKnown(port, path));
  return {
    first: paths.map((path) => get(path)),
    campaigns: times(200, () => get(pick(paths) + pick(campaigns))),
    cookies: times(200, () => get(pick(paths), { Cookie: pick(cookieJars) })),
    both: times(400, () => get(pick(paths) + pick(answered), { Cookie: pick(cookieJars) })),
    analytics: times(200, () => get(pick(paths), { Cookie: pick(jarsWith(analyticsCookie)) })),
    formPages: times(80, () => get(pick(formPages), { Cookie: pick(jarsWith(ownChoice)) })),
    known,
    robots: robotPaths.map((path) => ({ ...get(path), status: 404 })),
    files: [get("/robots.txt"), get("/sitemap.xml")],
    admin: [{ ...get("/admin"), status: 303 }],
    mistakes: [post(origin, { ...message, message: "Can we talk?", email: "grace at harbor" }, 400)],
    messages: [post(origin, message, 303)],
  };
}

const jarsWith = (/** @type {RegExp} */ name) => cookieJars.filter((jar) => name.test(jar));

/** @param {number} count @param {() => KnownRequest} make */
const times = (count, make) => Array.from({ length: count }, make);

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

/** @param {string} origin @param {Record<string, string>} fields @param {number} status @returns {KnownRequest} */
function post(origin, fields, status) {
  return {
    method: "POST",
    path: "/contact",
    headers: { ...encodings, Origin: origin, "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString().replace(encodeURIComponent(idPlaceholder), idPlaceholder),
    status,
  };
}

/** Picks as if by chance, and the same in every run (a linear congruential generator, numbers of Numerical Recipes). */
export function makePick() {
  let state = 14;
  return (/** @type {readonly string[]} */ list) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)] ?? "";
  };
}
