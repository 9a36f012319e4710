import { localDay } from "../../../../app/lib/dates.ts";
import { findWorkingMorning } from "../../../../app/lib/reply-promise.ts";
import { answerNotice, type WaitingMessage } from "../mails/answer-mail.ts";
import { type Digest, digestMail } from "../mails/digest-mail.ts";
import { callBackend, requireSiteUrl } from "../host/backend.ts";
import { functionHost } from "../host/runtime.ts";
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
 * "answers").
 */
export function queueFirmNotices(): Promise<void> {
  const clock = readReplyClock();
  const { timeZone } = clock;
  const now = Date.now();
  const morning = findWorkingMorning(new Date(now), clock);

  async function listDue(): Promise<(() => Promise<unknown>)[]> {
    const due = await callBackend<FirmNotices>("list_firm_notices", { morning });
    const notices = due.answers.map((message) => () => queueAnswerNotice(message));
    return due.is_digest_due ? [...notices, () => queueDigest(due.digest)] : notices;
  }

  async function queueAnswerNotice(message: WaitingMessage): Promise<void> {
    const answerToken = newSecretToken();
    const site = { url: requireSiteUrl(), mailContent: readMailContent(), answerToken };
    await callBackend("queue_answer_notice", {
      submission_id: message.id,
      notice: message.notice,
      mail: answerNotice(message, site, timeZone),
      token_hash: await digestOfToken(answerToken),
    });
  }

  async function queueDigest(digest: Digest | null): Promise<void> {
    const backupAt = await functionHost()?.newestBackupAt?.();
    const mail = digest && digestMail(digest, requireSiteUrl(), { now, today: localDay(now, timeZone), backupAt });
    await callBackend("queue_digest", { morning, mail });
  }

  return queueEach("firm-notices-not-queued", listDue, (work) => work());
}
