// Keeps so many posts of one IPv6 /48 under way, each from another /64 of it, until this process is told to stop. It then prints
// how often each status came. A process of its own, so that it does not slow the one that measures.
// Arguments: origin, number of posts under way, name of the host.
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

const [origin = "", atOnce = "1", host = ""] = process.argv.slice(2);
/** @type {Record<string, number>} */
const statuses = {};
const over = new AbortController();
let sent = 0;

process.once("SIGTERM", () => over.abort());
await Promise.all(Array.from({ length: Number(atOnce) }, postAgain));
console.log(JSON.stringify(statuses));
process.exit(0);

async function postAgain() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!over.signal.aborted) {
    const status = await post(agent, `2001:db8:77:${(sent++ % 65_536).toString(16)}::1`);
    statuses[status] = (statuses[status] ?? 0) + 1;
    // Two hundred a second: many more would show how fast this machine is, and nothing of the turns.
    await wait(700);
  }
}

/** @param {Agent} agent @param {string} client @returns {Promise<number>} of a form with mistakes, which costs a rendered page */
function post(agent, client) {
  const headers = {
    Host: host,
    Origin: `http://${host}`,
    "X-Forwarded-For": client,
    "Content-Type": "application/x-www-form-urlencoded",
  };
  return new Promise((resolve) => {
    const asked = request(
      `${origin}/contact`,
      { agent, method: "POST", headers, localAddress: "127.0.0.2" },
      (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode ?? 0));
      },
    );
    asked.once("error", () => resolve(0));
    asked.end("name=x");
  });
}
