// Keeps the given number of posts in progress until SIGTERM, and then prints the count of each status. It is a separate
// process, so that it does not slow the measuring one.
// Arguments: origin, number of concurrent posts, host name, and where they come from: `one-network` is an IPv6 /48, with
// a different /64 for each post; `many` are as many IPv4 addresses in different networks.
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

const [origin = "", concurrency = "1", host = "", source = "one-network"] = process.argv.slice(2);
/** @type {Record<string, number>} */
const statuses = {};
const over = new AbortController();
let sent = 0;

process.once("SIGTERM", () => over.abort());
await Promise.all(Array.from({ length: Number(concurrency) }, postRepeatedly));
console.log(JSON.stringify(statuses));
process.exit(0);

async function postRepeatedly() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!over.signal.aborted) {
    const status = await post(agent, addressOf(sent++));
    statuses[status] = (statuses[status] ?? 0) + 1;
    // Two hundred a second: many more would measure this machine's speed instead of the queue.
    await wait(700);
  }
}

/** @param {number} number */
function addressOf(number) {
  return source === "many"
    ? `198.18.${number % Number(concurrency)}.1`
    : `2001:db8:77:${(number % 65_536).toString(16)}::1`;
}

/**
 * @param {Agent} agent @param {string} client @returns {Promise<number>} status of an invalid form, which costs a
 *   rendered page
 */
function post(agent, client) {
  const headers = {
    Host: host,
    Origin: `http://${host}`,
    "X-Forwarded-For": client,
    "Content-Type": "application/x-www-form-urlencoded",
  };
  return new Promise((resolve) => {
    const sentRequest = request(
      `${origin}/contact`,
      { agent, method: "POST", headers, localAddress: "127.0.0.2" },
      (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode ?? 0));
      },
    );
    sentRequest.once("error", () => resolve(0));
    sentRequest.end("name=x");
  });
}
