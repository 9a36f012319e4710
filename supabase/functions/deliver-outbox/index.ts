import { createHash, timingSafeEqual } from "node:crypto";
import { callBackend, callForRow, secretKeys } from "../_shared/host/backend.ts";
import { deliverDueMail } from "../_shared/outbox/deliver-due-mail.ts";
import { callTroubleHook } from "../_shared/outbox/call-trouble-hook.ts";
import {
  queueAccountMails,
  queueLetters,
  queueNetworkMails,
  queueReminders,
  queueTroubleMails,
} from "../_shared/outbox/queue-due-mails.ts";
import { queueFirmNotices } from "../_shared/outbox/queue-firm-notices.ts";
import { releaseWaitingMail } from "../_shared/outbox/release-waiting-mail.ts";
import { readBearerToken, respond, respondToPosts } from "../_shared/host/http.ts";
import { logEvent, runInBackground } from "../_shared/host/runtime.ts";
import { withSiteFacts } from "../_shared/host/site-facts.ts";

/**
 * Queues mails about trouble with the site and calls TROUBLE_URL, queues reminders about messages and data rights requests, the digest, notices to
 * owners of accounts, and mails to members of the investor network, releases mails that waited for the hourly limit, then
 * sends due mail. Letters to the network follow after the response. Requires the
 * secret key, as `apikey` or bearer token: the server's timer calls it, or pg_cron with pg_net on a hosted project.
 * Frequent and concurrent calls are safe.
 *
 * 200 with the number of succeeded and failed attempts and of mails still waiting; 403 without the key; 503 when the
 * backend fails.
 */
export default respondToPosts({
  failure: "outbox-not-delivered",
  serve: async (request) =>
    holdsSecretKey(request) ? withSiteFacts(queueAndDeliver) : respond(403, { error: "forbidden" }),
});

async function queueAndDeliver(): Promise<Response> {
  await correctTimes();
  // First, because the digest lists the trouble that this records.
  await queueTroubleMails();
  runInBackground(callTroubleHook());
  await Promise.all([queueReminders(), queueFirmNotices(), queueAccountMails(), queueNetworkMails()]);
  await releaseWaitingMail();
  const report = await deliverDueMail();
  runInBackground(deliverLetters());
  const { waiting } = await callForRow<{ waiting: number }>("outbox_status");
  return respond(200, { ...report, remaining: waiting });
}

/** Makes mail and limits go on that a wrong clock put off. */
async function correctTimes(): Promise<void> {
  const count = await callBackend<number>("correct_times");
  if (count > 0) logEvent({ event: "times-corrected", count, level: "warn" });
}

/** The next call must not wait for letters, because it sends other mail. */
async function deliverLetters(): Promise<void> {
  await queueLetters();
  await deliverDueMail("letters");
}

const digestOf = (key: string) => createHash("sha256").update(key).digest();

/** Compares digests in constant time, so that timing does not reveal how much of a guess was right. */
function holdsSecretKey(request: Request): boolean {
  const secrets = secretKeys().map(digestOf);
  return [request.headers.get("apikey"), readBearerToken(request)].some(
    (offered) => offered !== null && secrets.some((secret) => timingSafeEqual(digestOf(offered), secret)),
  );
}
