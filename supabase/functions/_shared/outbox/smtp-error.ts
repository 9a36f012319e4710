/**
 * Result of a failed delivery attempt. "rejected" means that this mailbox refused the mail for good; "retry" means that
 * time or the operator can mend it. `code` is safe for the log and the outbox: it contains no address and none of the
 * server's own text.
 */
export interface FailedDelivery {
  outcome: "retry" | "rejected";
  code: string;
}

/** Most characters of a server's reply that are read. A reply of several lines has some hundred. */
const replyLimit = 2_000;

/** Steps of a session other than RCPT TO, by the start of nodemailer's name for the command. */
const otherSteps: readonly (readonly [string, string])[] = [
  ["MAIL", "mail-"],
  ["DATA", "data-"],
  ["AUTH", "auth-"],
];

/** Enhanced status codes about one mailbox, its domain or its quota (RFC 3463, 3.2 and 3.3; RFC 7505). */
const mailboxStatus = /^5\.(?:1\.(?:[12346]|10)|2\.[012])$/;

/** Replies without an enhanced status code that concern the mailbox (RFC 5321, 4.2.3; RFC 7504). */
const mailboxReplies: readonly unknown[] = [550, 551, 552, 553, 556];

/** Words of servers that refuse us rather than the mailbox. */
const refusesUs =
  /relay|spam|spf|dkim|dmarc|black|block|list|polic|authenti|sender|reputation|denied|prohibit|allow|ip\b/i;

/**
 * Classifies an error of nodemailer. Only a 5xx reply to RCPT TO that concerns the mailbox is final. All others, and
 * those in doubt, may be the operator's to mend: a bad sender or password, a server that relays for nobody, a policy.
 */
export function classifySmtpError(error: unknown): FailedDelivery {
  const failure = error as { code?: unknown; rejectedErrors?: unknown[] };
  // When the server refuses all recipients, the reply to the first says why.
  const { command, response, responseCode } = (failure.rejectedErrors?.[0] ?? failure) as Record<string, unknown>;
  if (failure.code === "ETLS" && responseCode !== undefined) return { outcome: "retry", code: "smtp-no-tls" };
  if (typeof responseCode !== "number")
    return {
      outcome: "retry",
      code: `smtp-${typeof failure.code === "string" ? failure.code.toLowerCase() : "failed"}`,
    };
  // Without addresses, whose parts could look like words of a policy.
  const text = typeof response === "string" ? response.slice(0, replyLimit).replaceAll(/\S+@\S+/g, "") : "";
  const status = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1];
  const step = otherSteps.find(([name]) => String(command).startsWith(name))?.[1] ?? "";
  return {
    outcome: command === "RCPT TO" && refusesMailbox(responseCode, status, text) ? "rejected" : "retry",
    code: `smtp-${step}${responseCode}${status === undefined ? "" : `-${status.replaceAll(".", "-")}`}`,
  };
}

function refusesMailbox(replyCode: number, status: string | undefined, text: string): boolean {
  if (replyCode < 500) return false;
  return status === undefined
    ? mailboxReplies.includes(replyCode) && !refusesUs.test(text)
    : mailboxStatus.test(status);
}
