import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/**
 * Gathers the requests that arrive in one turn of the event loop, and has them answered at its end, in the order of arrival.
 *
 * Under load a page from memory costs a sixth less: reading is done in one stretch and writing in another, and whoever waits
 * at the other end, mostly a proxy, is woken once for all answers and not for each (docs/decisions/pages/0022-pages-in-memory.md).
 */
export function answerInBatches(listener: RequestListener): RequestListener {
  let batch: [IncomingMessage, ServerResponse][] = [];

  function answerAll(): void {
    const arrived = batch;
    batch = [];
    for (const [request, response] of arrived) if (!response.destroyed) listener(request, response);
  }

  return (request, response) => {
    if (batch.push([request, response]) === 1) setImmediate(answerAll);
  };
}
