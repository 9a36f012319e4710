import { makeCertificate } from "../certificate.mjs";
import { findFreePort } from "../free-port.mjs";
import { checkErrors } from "./compare.mjs";
import { sendAtRate } from "./generators/fixed-rate.mjs";
import { median } from "./median.mjs";
import { makeDay } from "./requests/day.mjs";
import { findProxies, startProxy } from "./servers/proxies.mjs";
import { get, listRequests } from "./requests/requests.mjs";
import { settle, startProduct } from "./servers/servers.mjs";
import { mergeVisits } from "./stalls.mjs";

/**
 * A day of GETs by one way to the site; null where the program is not installed.
 * @typedef {{ way: string, result: import("./generators/autocannon.mjs").LoadResult | null }} ChainRow
 */

/**
 * A day with forms; the times are those of visitors who get a page from memory meanwhile.
 * @typedef {Awaited<ReturnType<typeof runDayWithForms>>} DayWithForms
 */

const connections = 32;

/** So few that they take nothing from the day, and so many that the slowest hundredth is more than one. */
const visitsPerSecond = 200;

/**
 * The site as an operator runs it: all limits at their defaults, `SITE_URL` on https, a proxy before it.
 * @param {{ dataDir: string, load: import("./compare.mjs").Load, seconds: number }} plan
 * @returns {Promise<{ ways: ChainRow[], limited: DayWithForms }>} `limited`: with an address of its own for each visitor
 */
export async function measureChain({ dataDir, load, seconds }) {
  const port = await findFreePort();
  const origin = `https://localhost:${port}`;
  const settings = { SITE_URL: origin, TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "" };
  const product = await startProduct({ dataDir, settings });
  const { remove, ...certificate } = makeCertificate();
  try {
    const lists = await listRequests({ port: product.port, origin });
    const requests = makeDay(lists).map(renameCookies);
    const run = async (/** @type {{ port: number, isHttps?: boolean }} */ address) => {
      await load({ ...address, seconds: 1, connections, requests });
      const result = await load({ ...address, seconds, connections, requests });
      await settle(product.pid);
      return result;
    };
    /** @type {ChainRow[]} */
    const ways = [{ way: "none, without TLS", result: await run({ port: product.port }) }];
    for (const { proxy, version } of findProxies()) {
      if (version === null) ways.push({ way: proxy.name, result: null });
      else {
        const running = await startProxy(proxy, { ...certificate, port, target: product.port });
        try {
          ways.push({ way: `${proxy.name} ${version}`, result: await run({ port, isHttps: true }) });
        } finally {
          await running.stop();
        }
      }
    }
    const visitors = makeDay(lists, { withForms: true }).map(renameCookies).map(addAddress);
    const limited = await runDayWithForms({ port: product.port, seconds, requests: visitors, load });
    return { ways, limited };
  } finally {
    remove();
    await product.stop();
  }
}

/**
 * Sends a day's requests, and lets some visitors come beside it, who ask for the home page. Theirs are the times that count: a
 * generator that has thousands of answers to read is late for many of them, and would take that for the server's. (Without wrk it
 * works in this very process, and the times are too long.)
 * @param {{ port: number, seconds: number, requests: import("./requests/requests.mjs").KnownRequest[], load: import("./compare.mjs").Load }} plan
 * @throws when an answer has another status than its request says
 */
export async function runDayWithForms({ port, seconds, requests, load }) {
  const loading = load({ port, seconds, connections, requests });
  const visits = await sendAtRate({ port, perSecond: visitsPerSecond, request: get("/"), until: loading });
  const result = await loading;
  checkErrors("A day with forms", requests, result);
  return { perSecond: result.perSecond, visits };
}

/** The medians of several starts. @param {DayWithForms[]} starts @returns {DayWithForms} */
export function mergeDays(starts) {
  return {
    perSecond: median(starts.map(({ perSecond }) => perSecond)),
    visits: mergeVisits(starts.map(({ visits }) => visits)),
  };
}

/** On https, our own cookies have names that bind them to the host. @param {import("./requests/requests.mjs").KnownRequest} request */
function renameCookies(request) {
  const { Cookie, ...others } = request.headers ?? {};
  if (Cookie === undefined) return request;
  return {
    ...request,
    headers: { ...others, Cookie: Cookie.replaceAll(/(^|; ?)(cookie-|session-id)/g, "$1__Host-$2") },
  };
}

/** A documentation address (RFC 3849) for each visitor. @param {import("./requests/requests.mjs").KnownRequest} request @param {number} index */
function addAddress(request, index) {
  return { ...request, headers: { ...request.headers, "X-Forwarded-For": `2001:db8:${index.toString(16)}::1` } };
}
