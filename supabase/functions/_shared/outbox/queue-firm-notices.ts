import type { SupabaseClient } from "@supabase/supabase-js";
import { localDay } from "../../../../app/lib/dates.ts";
import { findWorkingMorning } from "../../../../app/lib/reply-promise.ts";
import { answerNotice, type WaitingMessage } from "../mails/answer-mail.ts";
import { type Digest, digestMail } from "../mails/digest-mail.ts";
import { BackendUnavailable, secretBackend } from "../host/backend.ts";
import { functionHost, logEvent, setting } from "../host/runtime.ts";
import { readMailContent } from "../mails/mail-content.ts";
import { queueEach } from "./queue-each.ts";
import { readReplyClock } from "../reply-clock.ts";
import { digestOfToken, newSecretToken } from "../secret-token.ts";

/** Result of `list_firm_notices`. */
interface FirmNotices {
  answers: WaitingMessage[];
  is_digest_due: boolean;
  /** null when no work is pending */
  digest: Digest | null;
}

/**
 * Queues the mails to the firm about messages that await a reply, and the digest of a working morning (migration
 * "answers"). A failure is logged and retried by the next run, so that it does not block other mail.
 */
export async function queueFirmNotices(): Promise<void> {
  try {
    const client = secretBackend();
    const { timeZone } = readReplyClock();
    const now = Date.now();
    const morning = findWorkingMorning(new Date(now), timeZone);
    const due = (await call(client, "list_firm_notices", { morning })) as FirmNotices;
    if (due.answers.length === 0 && !due.is_digest_due) return;
    const siteUrl = setting("SITE_URL");
    if (!siteUrl) throw new BackendUnavailable("site-url-not-set");
    await queueEach("firm-notices-not-queued", due.answers, (message) => queueAnswerNotice(client, message, siteUrl));
    if (due.is_digest_due) {
      const backupAt = await functionHost()?.newestBackupAt?.();
      const mail = due.digest && digestMail(due.digest, siteUrl, { now, today: localDay(now, timeZone), backupAt });
      await call(client, "queue_digest", { morning, mail });
    }
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "firm-notices-not-queued", code });
  }
}

async function queueAnswerNotice(client: SupabaseClient, message: WaitingMessage, url: string): Promise<void> {
  const answerToken = newSecretToken();
  await call(client, "queue_answer_notice", {
    submission_id: message.id,
    notice: message.notice,
    mail: answerNotice(message, { url, mailContent: readMailContent(), answerToken }, readReplyClock().timeZone),
    token_hash: await digestOfToken(answerToken),
  });
}

async function call(client: SupabaseClient, name: string, parameters: Record<string, unknown>): Promise<unknown> {
  const { data, error } = await client.rpc(name, parameters);
  if (error) throw new BackendUnavailable(error.code || "unreachable");
  return data as unknown;
}
