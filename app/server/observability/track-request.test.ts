import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { createAccessLog } from "./access-log.server";
import { noMetrics } from "./product-metrics.server";
import { createRequestRecorder } from "./track-request.server";

it("reports an error in recording without throwing it", async () => {
  const errors: unknown[] = [];
  const fullDisk = new Error("no space");
  const accessLog = createAccessLog({ write: () => {} });
  const countView = () => {
    throw fullDisk;
  };
  const recorder = createRequestRecorder(accessLog, noMetrics, countView, (error) => errors.push(error));
  const server = createServer((request, response) => {
    response.once("close", recorder.begin({ request, response, requestId: "id", route: "/tracked" }));
    response.end("fine");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    accessLog.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await (await fetch(url)).text()).toBe("fine");
  await vi.waitFor(() => expect(errors).toEqual([fullDisk]));
});
