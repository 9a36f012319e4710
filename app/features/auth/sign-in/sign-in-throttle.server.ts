import { setTimeout as wait } from "node:timers/promises";
import { networkKey, rateLimitKey } from "~/lib/http/client-address";
import { createAttemptLimit } from "~/server/limits/attempt-limit.server";
import type { SiteContext } from "~/server/site-context.server";
import { type AttemptDecision, countAttempt } from "../counted-attempt.server";
import { type SignInQueues, createSignInQueues } from "./sign-in-queue.server";
import { accountKey, findKnownDevice } from "./known-device.server";

const quarterHour = 15 * 60;

/**
 * Counts failures per client (for any account), per client and account, and per known device. An account is never
 * locked as a whole: under attack, attempts from unknown devices are delayed by a second. Queues limit attempts to four
 * at a time per account and four at a time per site, because each costs the embedded database a password hash. All
 * processes share the counters: asking the database costs less than a hash.
 */
const createThrottle = (site: SiteContext) => ({
  perClient: createAttemptLimit(site, { name: "client", points: 10, seconds: quarterHour }),
  perClientAndAccount: createAttemptLimit(site, { name: "client-account", points: 5, seconds: quarterHour }),
  perKnownDevice: createAttemptLimit(site, { name: "device", points: 10, seconds: quarterHour }),
  perAccount: createAttemptLimit(site, { name: "account", points: 10, seconds: 60 * 60 }),
  queues: createSignInQueues({ slots: 4, waiting: 300, waitingPerClient: 2, waitMs: site.timeouts.signInQueue }),
});

/** Name of the queue that all attempts of a site share. */
const siteQueue = "";

const queueFull: AttemptDecision = { admitted: false, retryAfterSeconds: 5 };

/**
 * Decides if a password may be tried now, and waits for a slot.
 * @param address of the client, or null if unknown: then only the account's own limits apply
 * @param beforeWait called if the attempt has to wait
 */
export async function admitAttempt(
  site: SiteContext,
  email: string,
  request: Request,
  address: string | null,
  beforeWait: () => void = () => {},
): Promise<AttemptDecision> {
  const { perClient, perClientAndAccount, perKnownDevice, perAccount, queues } = site.feature(createThrottle);
  const account = accountKey(email);
  const device = await findKnownDevice(site, request, email);
  if (device) {
    const decision = await countAttempt([[perKnownDevice, `${device}:${account}`]]);
    return inQueue(decision, () => queues.acquire(siteQueue, device, beforeWait));
  }
  const client = address === null ? "" : rateLimitKey(address);
  const network = address === null ? "" : (networkKey(address) ?? client);
  const decision = await countAttempt(
    address === null
      ? []
      : [
          [perClientAndAccount, `${client}:${account}`],
          [perClient, client],
        ],
  );
  const accountDecision = await inQueue(decision, () => queues.acquire(account, network, beforeWait));
  if (!accountDecision.admitted) return accountDecision;
  if (!(await perAccount.consume(account)).allowed) {
    beforeWait();
    await wait(site.timeouts.signInDelay);
  }
  const counted: AttemptDecision = {
    admitted: true,
    end: async (isWrong) => {
      await accountDecision.end(isWrong);
      if (!isWrong) await perAccount.refund(account);
    },
  };
  return inQueue(counted, () => queues.acquire(siteQueue, network, beforeWait));
}

/**
 * Makes an admitted attempt wait for a slot and frees the slot when it ends. Without a slot the attempt is refunded.
 */
async function inQueue(
  decision: AttemptDecision,
  acquire: () => ReturnType<SignInQueues["acquire"]>,
): Promise<AttemptDecision> {
  if (!decision.admitted) return decision;
  const release = await acquire();
  if (release === null) {
    await decision.end(false);
    return queueFull;
  }
  return {
    admitted: true,
    end: (isWrong) => {
      release();
      return decision.end(isWrong);
    },
  };
}
