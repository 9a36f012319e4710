import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import { createAccessLog } from "./access-log.server";
import { noMetrics } from "./product-metrics.server";
import { createRequestRecorder } from "./track-request.server";

const completed = { requestId: "1", route: "/", method: "GET", status: 200, durationMs: 1, bytes: 2 };

it("writes the lines that still wait when the process exits", () => {
  const others = process.listeners("exit");
  let written = "";
  const log = createAccessLog({ write: (text) => void (written += text) });
  log.record(completed);
  expect(written).toBe("");
  for (const exit of process.listeners("exit").filter((each) => !others.includes(each))) exit(0);
  expect(written).toContain('"event":"request"');
  log.close();
  expect(process.listeners("exit")).toEqual(others);
});

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
