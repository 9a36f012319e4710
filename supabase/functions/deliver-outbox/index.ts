import { areEqual } from "../_shared/host/are-equal.ts";
import { callBackend, callForRow, secretKeys } from "../_shared/host/backend.ts";
import { deliverDueMail } from "../_shared/outbox/deliver-due-mail.ts";
import { callTroubleHook } from "../_shared/outbox/call-trouble-hook.ts";
import { queueAccountMails } from "../_shared/outbox/queue-account-mails.ts";
import { queueLetters } from "../_shared/outbox/queue-letters.ts";
import { queueFirmNotices } from "../_shared/outbox/queue-firm-notices.ts";
import { queueNetworkMails } from "../_shared/outbox/queue-network-mails.ts";
import { queueReminders } from "../_shared/outbox/queue-reminders.ts";
import { queueTroubleMails } from "../_shared/outbox/queue-trouble-mails.ts";
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
    (await holdsSecretKey(request)) ? withSiteFacts(queueAndDeliver) : respond(403, { error: "forbidden" }),
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

async function holdsSecretKey(request: Request): Promise<boolean> {
  const offered = [request.headers.get("apikey"), readBearerToken(request)].filter((key) => key !== null);
  const checks = offered.flatMap((key) => secretKeys().map((secret) => areEqual(key, secret)));
  return (await Promise.all(checks)).includes(true);
}
