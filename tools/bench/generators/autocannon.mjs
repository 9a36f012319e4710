import { createHistogram } from "node:perf_hooks";
import autocannon from "autocannon";

/**
 * A request as the generators and `ask` send it; `Host` is the address that it goes to. In a body, `[<id>]` stands for a
 * text that is different in each request.
 * @typedef {{ method?: "GET" | "POST", path: string, headers?: Record<string, string>, body?: string }} LoadRequest
 */

/**
 * A run to be made: each connection sends the requests in turn, again and again. TLS takes any certificate.
 * @typedef {{ port: number, isHttps?: boolean, seconds: number, connections: number, requests: LoadRequest[] }} LoadPlan
 */

/**
 * What one run of a server came to.
 * @typedef {{ requests: number, perSecond: number, p99Ms: number, errorAnswers: number }} LoadResult `errorAnswers`: those
 *   with a status of 400 or more
 */

/** How often the generator looks whether its time is over; its own second would make every run a whole number of them. */
const sampleMs = 100;

/**
 * Loads a server on this machine by autocannon: every connection sends a request, waits for the whole answer, sends the next,
 * each from a place of its own in the list on.
 * @param {Omit<LoadPlan, "requests"> & { requests: (LoadRequest | (() => LoadRequest))[] }} plan functions make their request
 *   anew each time
 * @returns {Promise<LoadResult & { statuses: Record<string, number> }>}
 * @throws when a connection fails or ends, or a request has no answer within ten seconds
 */
export async function load({ port, isHttps = false, seconds, connections, requests }) {
  // Microseconds: the generator's own histogram counts whole milliseconds, too coarse for a ratio of short times.
  const histogram = createHistogram();
  let count = 0;
  let errorAnswers = 0;
  let nextClient = 0;
  const prepared = requests.map(
    /** @returns {import("autocannon").Request} */ (request) =>
      typeof request === "function" ? { setupRequest: (before) => ({ ...before, ...request() }) } : request,
  );
  const startedAt = performance.now();
  /** @type {import("autocannon").Result} */
  const { errors, statusCodeStats } = await new Promise((resolve, reject) => {
    const run = autocannon(
      {
        url: `${isHttps ? "https" : "http"}://localhost:${port}`,
        duration: seconds,
        sampleInt: sampleMs,
        connections,
        idReplacement: requests.some((request) => typeof request !== "function" && request.body?.includes("[<id>]")),
        requests: prepared.slice(0, 1),
        setupClient(client) {
          const place = Math.floor((prepared.length * nextClient++) / connections);
          client.setRequests([...prepared.slice(place), ...prepared.slice(0, place)]);
        },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    );
    run.on("response", (_client, status, _bytes, ms) => {
      count += 1;
      if (status >= 400) errorAnswers += 1;
      histogram.record(Math.max(1, Math.round(ms * 1000)));
    });
  });
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  if (errors > 0) throw new Error(`${errors} requests had no answer.`);
  return {
    requests: count,
    perSecond: count / elapsedSeconds,
    p99Ms: histogram.percentile(99) / 1000,
    errorAnswers,
    statuses: Object.fromEntries(
      Object.entries(statusCodeStats ?? {}).map(([status, { count: many = 0 }]) => [status, many]),
    ),
  };
}
