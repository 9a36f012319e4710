import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLog } from "~/server/observability/log.server";
import { sendConsoleToLog } from "~/server/process/console-lines.server";

const methods = ["debug", "error", "info", "log", "trace", "warn"] as const;
let printed: string[] = [];
let undo: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  printed = [];
  const originals = methods.map((method) => [method, console[method]] as const);
  const listeners = process.listeners("warning");
  undo = () => {
    for (const [method, original] of originals) console[method] = original;
    process.removeAllListeners("warning");
    for (const listener of listeners) process.on("warning", listener);
  };
  const sink = { write: (text: string) => printed.push(text) };
  sendConsoleToLog(createLog(sink, sink));
});
afterEach(() => {
  undo();
  vi.useRealTimers();
});

const complain = () => console.error(new Error("again"));
const events = () => printed.map((line) => JSON.parse(line) as Record<string, unknown>);

it("logs one line with position and error, without the text", () => {
  console.warn("grace@harbor.example\n{", Object.assign(new TypeError("of grace"), { code: "bad_value" }));
  expect(printed).toHaveLength(1);
  expect(printed[0]).not.toContain("grace");
  expect(events()[0]).toMatchObject({
    level: "warn",
    event: "library.console",
    method: "warn",
    from: expect.stringMatching(/console-lines\.test\.ts:\d+:\d+$/),
    error: "TypeError",
    code: "bad_value",
  });
});

it("logs a few lines per source and minute, and reports how many it left out", async () => {
  for (let i = 0; i < 1_000; i++) complain();
  console.error("from another place");
  expect(events().map(({ event }) => event)).toEqual(Array<string>(6).fill("library.console"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(events().at(-1)).toMatchObject({ level: "warn", event: "library.console-left-out", lines: 995 });
  expect(events()).toHaveLength(7);
  complain();
  expect(events().at(-1)).toMatchObject({ event: "library.console" });
});

it("logs Node's own warnings", () => {
  process.emit("warning", Object.assign(new Error("11 listeners added"), { name: "MaxListenersExceededWarning" }));
  expect(events()).toMatchObject([{ level: "warn", event: "node.warning", from: "MaxListenersExceededWarning" }]);
});
