import { setTimeout as wait } from "node:timers/promises";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { rateLimitKey } from "~/lib/client-address";
import { type RateDecision, consume } from "~/server/rate-limit.server";
import { accountKey, findKnownDevice } from "./known-device.server";

/** One attempt that may be made now, or for how long it may not. `end` must be called when it is over. */
export type AttemptDecision =
  { admitted: true; succeed(): Promise<void>; end(): void } | { admitted: false; retryAfterSeconds: number };

const quarterHour = 15 * 60;

/**
 * Failures are counted a client (whatever the account), a client and account, and a known device. An account as a whole
 * is never locked: under attack, attempts from unknown devices go one second slower and a few at a time, which stops
 * guessing without stopping the owner.
 */
const perClient = new RateLimiterMemory({ keyPrefix: "client", points: 10, duration: quarterHour });
const perClientAndAccount = new RateLimiterMemory({ keyPrefix: "client-account", points: 5, duration: quarterHour });
const perKnownDevice = new RateLimiterMemory({ keyPrefix: "device", points: 10, duration: quarterHour });
const perAccount = new RateLimiterMemory({ keyPrefix: "account", points: 10, duration: 60 * 60 });

const slowedByMs = 1_000;
const mostAtOnce = 4;
const underWay = new Map<string, number>();

/**
 * Asks whether a password may be tried now.
 * @param address the client's, or null where unknown: then only the account's own pace holds
 */
export async function admitAttempt(email: string, request: Request, address: string | null): Promise<AttemptDecision> {
  const account = accountKey(email);
  const device = await findKnownDevice(request, email);
  if (device) return admit([[perKnownDevice, `${device}:${account}`]], () => {});

  const client = address === null ? null : rateLimitKey(address);
  const running = underWay.get(account) ?? 0;
  if (running >= mostAtOnce) return { admitted: false, retryAfterSeconds: 5 };
  underWay.set(account, running + 1);
  const end = () => {
    const left = (underWay.get(account) ?? 1) - 1;
    if (left > 0) underWay.set(account, left);
    else underWay.delete(account);
  };
  const decision = await admit(
    client === null
      ? []
      : [
          [perClientAndAccount, `${client}:${account}`],
          [perClient, client],
        ],
    end,
  );
  if (!decision.admitted) {
    end();
    return decision;
  }
  if (!(await consume(perAccount, account)).allowed) await wait(slowedByMs);
  return {
    ...decision,
    succeed: async () => {
      await decision.succeed();
      await perAccount.reward(account);
    },
  };
}

async function admit(counters: [RateLimiterMemory, string][], end: () => void): Promise<AttemptDecision> {
  for (const [index, [counter, key]] of counters.entries()) {
    // Counted before the attempt and given back after a success: many at once must not slip through together.
    const decision: RateDecision = await consume(counter, key);
    if (decision.allowed) continue;
    await giveBack(counters.slice(0, index));
    return { admitted: false, retryAfterSeconds: decision.retryAfterSeconds };
  }
  return { admitted: true, succeed: () => giveBack(counters), end };
}

async function giveBack(counters: [RateLimiterMemory, string][]): Promise<void> {
  for (const [counter, key] of counters) await counter.reward(key);
}
