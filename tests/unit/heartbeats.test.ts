import { afterEach, expect, it } from "vitest";
import { type HookServer, startHookServer } from "../support/hook-server";
import type { Repetition } from "~/lib/repeat";
import type { Health } from "~/server/observability/health.server";
import { type LogEvent, createLog } from "~/server/observability/log.server";
import { startHeartbeats } from "~/server/backend/heartbeats.server";

let hooks: HookServer[] = [];
let heartbeats: Repetition[] = [];
afterEach(async () => {
  await Promise.all(heartbeats.map(({ stop }) => stop()));
  for (const hook of hooks) hook.close();
  [hooks, heartbeats] = [[], []];
});

/** Starts heartbeats with checks every five milliseconds. */
async function start(isReady: () => boolean, heartbeat: number) {
  const hook = await startHookServer();
  const events: LogEvent[] = [];
  const sink = { write: (line: string) => void events.push(JSON.parse(line) as LogEvent) };
  const health = { read: async () => ({ ready: isReady() }) as Awaited<ReturnType<Health["read"]>> };
  const timeouts = { heartbeat, heartbeatCheck: 5 };
  heartbeats.push(startHeartbeats({ heartbeatUrl: hook.url, health, log: createLog(sink, sink), timeouts }));
  hooks.push(hook);
  return { hook, events };
}

it("calls once a period while the site is ready", async () => {
  let isReady = false;
  const steady = await start(() => isReady, 3_600_000);
  const quick = await start(() => true, 0);
  await expect.poll(() => quick.hook.received.length).toBeGreaterThan(3);
  expect(steady.hook.received).toEqual([]);
  isReady = true;
  await expect.poll(() => steady.hook.received).toEqual(["GET"]);
  quick.hook.received.length = 0;
  await expect.poll(() => quick.hook.received.length).toBeGreaterThan(3);
  expect(steady.hook.received).toEqual(["GET"]);
});

it("repeats a failed call, logs the first failure of an outage, and ends a call that hangs when it stops", async () => {
  const { hook, events } = await start(() => true, 0);
  for (const failures of [1, 2]) {
    hook.respond(503);
    await expect.poll(() => events.length).toBe(failures);
    hook.received.length = 0;
    await expect.poll(() => hook.received.length).toBeGreaterThan(2);
    expect(events).toHaveLength(failures);
    hook.respond(200);
    hook.received.length = 0;
    await expect.poll(() => hook.received.length).toBeGreaterThan(2);
  }
  expect(events[0]).toMatchObject({ event: "hook-failed", setting: "HEARTBEAT_URL", code: "http-503" });
  hook.respond("hang");
  hook.received.length = 0;
  await expect.poll(() => hook.received.length).toBe(1);
  await heartbeats[0]?.stop();
  expect(events).toHaveLength(2);
});
