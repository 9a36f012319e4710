import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { createLocalClock } from "~/lib/local-clock";
import { createLog } from "../observability/log.server";
import { noMetrics } from "../observability/product-metrics.server";
import { createPageMemory } from "./page-memory.server";

/** Requests /about twice; returns the number of renders, and how many responses the memory left to the framework. */
async function requestTwice(init: ResponseInit) {
  let [renders, left] = [0, 0];
  const site = { log: createLog(), metrics: noMetrics, clock: createLocalClock("UTC") };
  const memory = createPageMemory(site, {
    cachesPages: true,
    render: async () => {
      renders += 1;
      return new Response("A page", init);
    },
    listOwnPages: () => [],
    findVariant: () => ({ key: "", variant: undefined, setCookies: [] }),
    defaultHeaders: {},
    compression: "quick",
    failures: { end: () => undefined },
  });
  const respond = memory.respond(() => ({ pattern: "/about", id: "about" }));
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const exchange = { request, response, requestId: "", route: null, isSameOrigin: true };
    respond(exchange, () => {
      left += 1;
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  for (let visit = 0; visit < 2; visit++) await (await fetch(`http://127.0.0.1:${port}/about`)).text();
  server.close();
  return { renders, left };
}

it.each<[string, ResponseInit, Awaited<ReturnType<typeof requestTwice>>]>([
  ["keeps a page", {}, { renders: 1, left: 0 }],
  ["keeps no page that sets a cookie", { headers: { "Set-Cookie": "id=1" } }, { renders: 2, left: 2 }],
  ["keeps no page with another status", { status: 503 }, { renders: 2, left: 2 }],
])("%s", async (_name, init, expected) => {
  expect(await requestTwice(init)).toEqual(expected);
});
