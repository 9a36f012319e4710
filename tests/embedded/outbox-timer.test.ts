import { expect, it } from "vitest";
import { startOutboxTimer } from "~/server/backend/embedded/timers/outbox-timer.server";
import { createLog } from "~/server/observability/log.server";
import { edgeFunction, type TestBackend, useTestBackend } from "./support/start-backend.ts";

let deliveries: number;
let answer: () => Promise<Response>;

const backend = useTestBackend({
  migrations: { "1_notes.sql": "create table public.notes (id int);" },
  functions: {
    "deliver-outbox": edgeFunction(() => {
      deliveries += 1;
      return answer();
    }),
  },
});

/** what the timer logged */
let logged: string;
const stream = { write: (line: string) => void (logged += line) };
const log = createLog(stream, stream);
const write = () => backend.sql("insert into public.notes values (1)");
const waiting = (remaining: number) => async () => Response.json({ remaining });

/**
 * Runs the timer for fifty polls.
 * @param beforePoll called before each poll, with the number of earlier ones
 * @returns the number of deliveries
 */
async function watch(beforePoll: (polls: number) => Promise<unknown> = async () => undefined): Promise<number> {
  deliveries = 0;
  logged = "";
  let polls = 0;
  const sql: TestBackend["sql"] = async (query) => {
    if (polls < 50) await beforePoll(polls);
    polls += 1;
    return backend.sql(query);
  };
  const timer = startOutboxTimer({ ...backend, sql }, log, 1);
  await expect.poll(() => polls, { timeout: 60_000 }).toBeGreaterThanOrEqual(50);
  await timer.stop();
  return deliveries;
}

it("does not deliver while there are no writes and no queued mails", async () => {
  answer = waiting(0);
  expect(await watch()).toBe(1);
});

it("delivers again after each write by any client", async () => {
  answer = waiting(0);
  expect(await watch(async (polls) => polls % 20 === 10 && write())).toBe(3);
});

it("delivers again after a write during a delivery", async () => {
  let isFirst = true;
  answer = async () => {
    if (isFirst) await write();
    isFirst = false;
    return Response.json({ remaining: 0 });
  };
  expect(await watch()).toBe(2);
});

it.each([
  ["mail waits for a retry", waiting(1), ""],
  [
    "the last delivery failed",
    async () => new Response(null, { status: 503 }),
    '"outbox.delivery-failed","status":503',
  ],
  ["its answer cannot be read", async () => new Response("-"), '"outbox.delivery-failed","error":"SyntaxError"'],
])("delivers at every poll while %s, and logs a failure", async (_name, given, line) => {
  answer = given;
  expect(await watch()).toBeGreaterThanOrEqual(50);
  expect(logged).toContain(line);
});
