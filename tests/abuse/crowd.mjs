// Clients that repeatedly request one of the given paths, without pause, until SIGTERM; the process then prints the
// count of each status. It is a separate process, so that it does not slow the measuring one.
// Arguments: origin, number of clients, paths.
import { Agent, request } from "node:http";

const [origin = "", clients = "1", ...paths] = process.argv.slice(2);
/** @type {Record<number, number>} */
const statuses = {};
const over = new AbortController();

process.once("SIGTERM", () => over.abort());
await Promise.all(Array.from({ length: Number(clients) }, (_, client) => requestRepeatedly(client)));
console.log(JSON.stringify(statuses));
process.exit(0);

/** @param {number} client two clients share an address */
async function requestRepeatedly(client) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const localAddress = `127.0.1.${1 + Math.floor(client / 2)}`;
  for (let turn = client; !over.signal.aborted; turn++) {
    const status = await fetchStatus({ agent, localAddress, path: paths[turn % paths.length] });
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

/** @param {import("node:http").RequestOptions} options @returns {Promise<number>} */
function fetchStatus(options) {
  return new Promise((resolve, reject) => {
    const sent = request(origin, { ...options, headers: { "Accept-Encoding": "br" } }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end();
  });
}
