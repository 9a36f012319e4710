import { expect, it } from "vitest";
import { createAccessLog } from "./access-log.server";

const request = { requestId: "1", route: "/", method: "GET", status: 200, durationMs: 1, bytes: 2 };

it("writes the lines that still wait when the process exits", () => {
  const others = process.listeners("exit");
  let written = "";
  const log = createAccessLog({ write: (text) => void (written += text) });
  log.record(request);
  expect(written).toBe("");
  for (const exit of process.listeners("exit").filter((each) => !others.includes(each))) exit(0);
  expect(written).toContain('"event":"request"');
  log.close();
  expect(process.listeners("exit")).toEqual(others);
});
