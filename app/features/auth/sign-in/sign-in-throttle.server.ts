import { setTimeout as wait } from "node:timers/promises";
import { rateLimitKey } from "~/lib/http/client-address";
import type { SiteContext } from "~/server/site-context.server";
import { type AttemptDecision, countAttempt } from "../counted-attempt.server";
import { accountKey, findKnownDevice } from "./known-device.server";

const quarterHour = 15 * 60;

/**
 * Failures are counted a client (whatever the account), a client and account, and a known device. An account as a whole
 * is never locked: under attack, attempts from unknown devices go a second slower and a few at a time, which stops
 * guessing without stopping the owner. All processes count together; a hash of a password costs more than the question.
 */
const createThrottle = ({ limits }: SiteContext) => ({
  perClient: limits.create({ name: "client", points: 10, seconds: quarterHour, sync: "every-hit" }),
  perClientAndAccount: limits.create({ name: "client-account", points: 5, seconds: quarterHour, sync: "every-hit" }),
  perKnownDevice: limits.create({ name: "device", points: 10, seconds: quarterHour, sync: "every-hit" }),
  perAccount: limits.create({ name: "account", points: 10, seconds: 60 * 60, sync: "every-hit" }),
  /** attempts under way, by account */
  underWay: new Map<string, number>(),
});

const maxAtOnce = 4;

/**
 * Asks whether a password may be tried now.
 * @param address the client's, or null where unknown: then only the account's own pace holds
 */
export async function admitAttempt(
  site: SiteContext,
  email: string,
  request: Request,
  address: string | null,
): Promise<AttemptDecision> {
  const { perClient, perClientAndAccount, perKnownDevice, perAccount, underWay } = site.feature(createThrottle);
  const account = accountKey(email);
  const device = await findKnownDevice(site, request, email);
  if (device) return countAttempt([[perKnownDevice, `${device}:${account}`]]);

  const client = address === null ? null : rateLimitKey(address);
  const running = underWay.get(account) ?? 0;
  if (running >= maxAtOnce) return { admitted: false, retryAfterSeconds: 5 };
  underWay.set(account, running + 1);
  const leave = () => {
    const left = (underWay.get(account) ?? 1) - 1;
    if (left > 0) underWay.set(account, left);
    else underWay.delete(account);
  };
  const decision = await countAttempt(
    client === null
      ? []
      : [
          [perClientAndAccount, `${client}:${account}`],
          [perClient, client],
        ],
  );
  if (!decision.admitted) {
    leave();
    return decision;
  }
  if (!(await perAccount.consume(account)).allowed) await wait(site.timeouts.slowedSignIn);
  return {
    admitted: true,
    end: async (isWrong) => {
      leave();
      await decision.end(isWrong);
      if (!isWrong) await perAccount.refund(account);
    },
  };
}
