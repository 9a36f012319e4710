// Clients that send requests without pause until SIGTERM; the process then prints the count of each status. It is a
// separate process, so that it does not slow the measuring one. Its argument is a crowd (crowd.test.ts) as JSON.
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

const { origin, host, clients, paths, isOneNetwork } = JSON.parse(process.argv[2] ?? "");
/** @type {Record<string, number>} */
const statuses = {};
const over = new AbortController();
let sent = 0;

process.once("SIGTERM", () => over.abort());
await Promise.all(Array.from({ length: clients }, sendRepeatedly));
console.log(JSON.stringify(statuses));
process.exit(0);

async function sendRepeatedly() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!over.signal.aborted) {
    const status = await send(agent, sent++);
    statuses[status] = (statuses[status] ?? 0) + 1;
    // Two hundred posts a second: many more would measure this machine's speed instead of the queue.
    if (paths.length === 0) await wait(700);
  }
}

/**
 * Requests one of the paths, or without any posts an invalid form, which costs a rendered page.
 * @param {Agent} agent @param {number} turn @returns {Promise<number>}
 */
function send(agent, turn) {
  const client = isOneNetwork ? `2001:db8:77:${(turn % 65_536).toString(16)}::1` : `198.18.${turn % clients}.1`;
  const common = { Host: host, Origin: `http://${host}`, "X-Forwarded-For": client };
  const path = paths[turn % paths.length];
  const options = path
    ? { path, headers: { ...common, "Accept-Encoding": "br" } }
    : { path: "/contact", method: "POST", headers: { ...common, "Content-Type": "application/x-www-form-urlencoded" } };
  return new Promise((resolve) => {
    const sentRequest = request(origin, { ...options, agent, localAddress: "127.0.0.2" }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    sentRequest.once("error", () => resolve(0));
    sentRequest.end(path ? undefined : "name=x");
  });
}
