import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
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

it("reports an error in recording without throwing it", () => {
  const errors: unknown[] = [];
  const fullDisk = new Error("no space");
  const countView = () => {
    throw fullDisk;
  };
  const accessLog = createAccessLog({ write: () => {} });
  onTestFinished(accessLog.close);
  const recorder = createRequestRecorder(accessLog, noMetrics, countView, (error) => errors.push(error));
  const request = new IncomingMessage(new Socket());
  recorder.begin({ request, response: new ServerResponse(request), requestId: "id", route: "/tracked" })();
  expect(errors).toEqual([fullDisk]);
});
