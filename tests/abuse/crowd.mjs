// Clients that ask for one of the given paths again and again, without pause, until this process is told to stop; it then
// prints how often each status came. A process of its own, so that whoever measures is not slowed by it.
// Arguments: origin, number of clients, paths.
import { Agent, request } from "node:http";

const [origin = "", clients = "1", ...paths] = process.argv.slice(2);
/** @type {Record<number, number>} */
const statuses = {};
const over = new AbortController();

process.once("SIGTERM", () => over.abort());
await Promise.all(Array.from({ length: Number(clients) }, (_, client) => askAgain(client)));
console.log(JSON.stringify(statuses));
process.exit(0);

/** @param {number} client two of them share an address */
async function askAgain(client) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const localAddress = `127.0.1.${1 + Math.floor(client / 2)}`;
  for (let turn = client; !over.signal.aborted; turn++) {
    const status = await ask({ agent, localAddress, path: paths[turn % paths.length] });
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

/** @param {import("node:http").RequestOptions} options @returns {Promise<number>} */
function ask(options) {
  return new Promise((resolve, reject) => {
    const sent = request(origin, { ...options, headers: { "Accept-Encoding": "br" } }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end();
  });
}
