import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startOutboxTimer } from "~/server/backend/embedded/timers/outbox-timer.server";
import { createLog } from "~/server/observability/log.server";
import { startTestBackend, type TestBackend } from "./support/start-backend.ts";

let backend: TestBackend;
let deliveries: number;
let answer: () => Promise<Response>;

beforeAll(async () => {
  backend = await startTestBackend({
    migrations: { "1_notes.sql": "create table public.notes (id int);" },
    functions: {
      "deliver-outbox": async () => ({
        default: {
          fetch: async () => {
            deliveries += 1;
            return answer();
          },
        },
      }),
    },
  });
});
afterAll(() => backend.remove());

const silent = createLog({ write: () => undefined }, { write: () => undefined });
const write = () => backend.sql("insert into public.notes values (1)");
const waiting = (remaining: number) => async () => Response.json({ remaining });

/**
 * Lets the timer look fifty times.
 * @param beforeLook is called before each, with how many there were
 * @returns how often it delivered
 */
async function watch(beforeLook: (looks: number) => Promise<unknown> = async () => undefined): Promise<number> {
  deliveries = 0;
  let looks = 0;
  const sql: TestBackend["sql"] = async (query) => {
    if (looks < 50) await beforeLook(looks);
    looks += 1;
    return backend.sql(query);
  };
  const timer = startOutboxTimer({ ...backend, sql }, silent, 1);
  await expect.poll(() => looks, { timeout: 60_000 }).toBeGreaterThanOrEqual(50);
  await timer.stop();
  return deliveries;
}

describe("the timer that delivers what is due", () => {
  it("leaves a database alone that nobody writes to and where no mail waits", async () => {
    answer = waiting(0);
    expect(await watch()).toBe(1);
  });

  it("delivers again after each write, whoever writes", async () => {
    answer = waiting(0);
    expect(await watch(async (looks) => looks % 20 === 10 && write())).toBe(3);
  });

  it("delivers again what was written while it delivered", async () => {
    let isFirst = true;
    answer = async () => {
      if (isFirst) await write();
      isFirst = false;
      return Response.json({ remaining: 0 });
    };
    expect(await watch()).toBe(2);
  });

  it.each([
    ["mail waits, which is tried again by the clock", waiting(1)],
    ["the last delivery failed", async () => new Response(null, { status: 503 })],
  ])("delivers at every look while %s", async (_name, given) => {
    answer = given;
    expect(await watch()).toBeGreaterThanOrEqual(50);
  });
});
