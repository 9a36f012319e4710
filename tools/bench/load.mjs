import { createHistogram } from "node:perf_hooks";
import autocannon from "autocannon";

/**
 * A request as the generator and `ask` send it; `Host` is the address that it goes to. In a body, `[<id>]` stands for a
 * text that is different in each request.
 * @typedef {{ method?: "GET" | "POST", path: string, headers?: Record<string, string>, body?: string }} LoadRequest
 */

/**
 * What one run of a server came to.
 * @typedef {{ requests: number, perSecond: number, p99Ms: number, statuses: Record<string, number> }} LoadResult
 */

/** How often the generator looks whether its time is over; its own second would make every run a whole number of them. */
const sampleMs = 100;

/**
 * Loads a server on this machine: every connection sends a request, waits for the whole answer, sends the next.
 * @param {{ port: number, seconds: number, connections: number, requests: (LoadRequest | (() => LoadRequest))[] }} plan
 *   each connection sends the requests in turn, again and again; functions make them anew each time
 * @returns {Promise<LoadResult>}
 * @throws when a connection fails or ends, or a request has no answer within ten seconds
 */
export async function load({ port, seconds, connections, requests }) {
  // Microseconds: the generator's own histogram counts whole milliseconds, too coarse for a ratio of short times.
  const histogram = createHistogram();
  const startedAt = performance.now();
  /** @type {import("autocannon").Result} */
  const { errors, statusCodeStats } = await new Promise((resolve, reject) => {
    const run = autocannon(
      {
        url: `http://localhost:${port}`,
        duration: seconds,
        sampleInt: sampleMs,
        connections,
        idReplacement: requests.some((request) => typeof request !== "function" && request.body?.includes("[<id>]")),
        requests: requests.map((request) =>
          typeof request === "function" ? { setupRequest: (before) => ({ ...before, ...request() }) } : request,
        ),
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    );
    run.on("response", (_client, _status, _bytes, ms) => histogram.record(Math.max(1, Math.round(ms * 1000))));
  });
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  if (errors > 0) throw new Error(`${errors} requests had no answer.`);
  return {
    requests: histogram.count,
    perSecond: histogram.count / elapsedSeconds,
    p99Ms: histogram.percentile(99) / 1000,
    statuses: Object.fromEntries(
      Object.entries(statusCodeStats ?? {}).map(([status, { count = 0 }]) => [status, count]),
    ),
  };
}
