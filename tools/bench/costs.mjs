import { ask } from "./generators/ask.mjs";
import { signIn } from "../full-inbox.mjs";
import { median } from "./median.mjs";
import { get } from "./requests/requests.mjs";
import { settle } from "./servers/servers.mjs";

/**
 * What one request of a kind takes of the processor, with all that is done after its answer, such as mail; all threads together.
 * @typedef {{ name: string, processorMs: number, perSecond: number, p99Ms: number, refused: number }} Cost `refused` is the
 *   share of those that were answered with an error instead, of 1
 */

/** The admin of the bench's own data folder. */
export const admin = { email: "admin@firm.example", password: "a long bench passphrase" };

/**
 * Measures what no memory can answer.
 * @param {{ product: { pid: number, port: number }, lists: Awaited<ReturnType<typeof import("./requests/requests.mjs").listRequests>>,
 *   load: import("./compare.mjs").Load, seconds: number, warmUpSeconds: number }} plan the inbox is full
 * @returns {Promise<Cost[]>} always the same kinds, in the same order
 */
export async function measureCosts({ product: { pid, port }, lists, load, seconds, warmUpSeconds }) {
  const inbox = get("/admin?filter=all", { Cookie: await signIn(`http://localhost:${port}`, admin) });
  const home = { path: "/", headers: { Cookie: await getNotice(port, lists.messages) }, status: 200 };
  const costs = [];
  for (const { name, requests, connections } of [
    { name: "Home page, rendered, not compressed", requests: [home], connections: 8 },
    { name: "Contact form with a mistake", requests: lists.mistakes, connections: 8 },
    { name: "Inbox with 10,000 messages", requests: [inbox], connections: 2 },
    { name: "Message accepted", requests: lists.messages, connections: 32 },
  ]) {
    for (const { path, status, ...request } of requests) {
      const answer = await ask(port, { path, ...request });
      if (answer.status !== status) throw new Error(`${path} was answered with ${answer.status} instead of ${status}.`);
    }
    await load({ port, seconds: warmUpSeconds, connections, requests });
    const before = await settle(pid);
    const { requests: count, perSecond, p99Ms, errorAnswers } = await load({ port, seconds, connections, requests });
    const used = (await settle(pid)) - before;
    const refused = requests.some(({ status }) => status >= 400) ? 0 : errorAnswers / count;
    costs.push({ name, processorMs: (used / count) * 1000, perSecond, p99Ms, refused });
  }
  return costs;
}

/** The medians of several starts. @param {Cost[][]} starts @returns {Cost[]} */
export function mergeCosts(starts) {
  return (starts[0] ?? []).map(({ name }, place) => {
    const of = (/** @type {Exclude<keyof Cost, "name">} */ key) =>
      median(starts.map((costs) => costs[place]?.[key] ?? Number.NaN));
    return {
      name,
      processorMs: of("processorMs"),
      perSecond: of("perSecond"),
      p99Ms: of("p99Ms"),
      refused: of("refused"),
    };
  });
}

/**
 * A page with a notice is made for one visitor alone.
 * @param {number} port @param {import("./requests/requests.mjs").KnownRequest[]} messages
 * @returns {Promise<string>} the cookie with which it is asked for
 */
async function getNotice(port, [message]) {
  const { headers } = await ask(port, message ?? get("/"));
  const place = headers.findIndex((text, index) => index % 2 === 1 && text.startsWith("flash="));
  const cookie = headers[place]?.split(";", 1)[0];
  if (cookie === undefined) throw new Error("A message that was accepted left no notice.");
  return cookie;
}
