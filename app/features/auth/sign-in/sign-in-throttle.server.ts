import { setTimeout as wait } from "node:timers/promises";
import { networkKey, rateLimitKey } from "~/lib/http/client-address";
import { createAttemptLimit } from "~/server/limits/attempt-limit.server";
import type { SiteContext } from "~/server/site-context.server";
import { type AttemptDecision, countAttempt } from "../counted-attempt.server";
import { type Turns, createTurns } from "./sign-in-turns.server";
import { accountKey, findKnownDevice } from "./known-device.server";

const quarterHour = 15 * 60;

/**
 * Failures are counted by client (whatever the account), by client and account, and by known device. An account as a whole is never locked:
 * under attack, tries from unknown devices go a second slower. Those of one account go four at a time, and all tries of a site four at a
 * time (each costs the embedded database a hash), so they wait in turn. All processes count together; a hash costs more than the question.
 */
const createThrottle = (site: SiteContext) => ({
  perClient: createAttemptLimit(site, { name: "client", points: 10, seconds: quarterHour }),
  perClientAndAccount: createAttemptLimit(site, { name: "client-account", points: 5, seconds: quarterHour }),
  perKnownDevice: createAttemptLimit(site, { name: "device", points: 10, seconds: quarterHour }),
  perAccount: createAttemptLimit(site, { name: "account", points: 10, seconds: 60 * 60 }),
  turns: createTurns({ atOnce: 4, waiting: 300, waitingOfClient: 2, waitMs: site.timeouts.signInQueue }),
});

/** The line of all tries of a site. */
const everyAccount = "";

const crowded: AttemptDecision = { admitted: false, retryAfterSeconds: 5 };

/**
 * Asks whether a password may be tried now, and waits for its turn.
 * @param address the client's, or null where unknown: then only the account's own pace holds
 * @param beforeWait called if it has to wait
 */
export async function admitAttempt(
  site: SiteContext,
  email: string,
  request: Request,
  address: string | null,
  beforeWait: () => void = () => {},
): Promise<AttemptDecision> {
  const { perClient, perClientAndAccount, perKnownDevice, perAccount, turns } = site.feature(createThrottle);
  const account = accountKey(email);
  const device = await findKnownDevice(site, request, email);
  if (device) {
    const decision = await countAttempt([[perKnownDevice, `${device}:${account}`]]);
    return inTurn(decision, () => turns.enter(everyAccount, device, beforeWait));
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
  const ofAccount = await inTurn(decision, () => turns.enter(account, network, beforeWait));
  if (!ofAccount.admitted) return ofAccount;
  if (!(await perAccount.consume(account)).allowed) {
    beforeWait();
    await wait(site.timeouts.signInDelay);
  }
  const counted: AttemptDecision = {
    admitted: true,
    end: async (isWrong) => {
      await ofAccount.end(isWrong);
      if (!isWrong) await perAccount.refund(account);
    },
  };
  return inTurn(counted, () => turns.enter(everyAccount, network, beforeWait));
}

/** Has an admitted attempt wait for a turn, which ends with it; without one the attempt is given back. */
async function inTurn(decision: AttemptDecision, enter: () => ReturnType<Turns["enter"]>): Promise<AttemptDecision> {
  if (!decision.admitted) return decision;
  const leave = await enter();
  if (leave === null) {
    await decision.end(false);
    return crowded;
  }
  return {
    admitted: true,
    end: (isWrong) => {
      leave();
      return decision.end(isWrong);
    },
  };
}
