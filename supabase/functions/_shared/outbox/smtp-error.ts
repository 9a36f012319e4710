import { firstCharacters } from "../../../../app/lib/characters.ts";
import { normalizeLine } from "../../../../app/lib/plain-text.ts";

/**
 * Result of a failed delivery attempt. "rejected": this mailbox refused the mail for good; "perhaps": the connection was
 * lost after the whole mail, so it may have arrived; "busy": the server wants fewer mails or connections, which is no
 * fault of this mail; "retry": time or the operator can mend it.
 */
export interface FailedDelivery {
  outcome: "retry" | "rejected" | "perhaps" | "busy";
  /** safe for the log: it contains no address and none of the server's own text */
  code: string;
  /** the server's own words in one line without addresses, for admins; absent if it sent none */
  words?: string | undefined;
  /** seconds that the server asked to wait */
  waitSeconds?: number | undefined;
}

/** Most characters of a server's reply that are read. A reply of several lines has some hundred. */
const replyLimit = 2_000;

/** Most characters of the server's words that are kept. The column `last_error` repeats this limit. */
const wordsLimit = 300;

/** Steps of a session other than RCPT TO, by the start of nodemailer's name for the command. */
const otherSteps: readonly (readonly [RegExp, string])[] = [
  [/^MAIL/, "mail-"],
  [/^DATA/, "data-"],
  [/^AUTH/, "auth-"],
];

/** Servers that check EHLO report it there, or with the first MAIL or RCPT (Postfix, smtpd_delay_reject). */
const namesGreeting = /\b(?:EHLO|HELO|LHLO)\b/i;

/** Enhanced status codes about one mailbox, its domain or its quota (RFC 3463, 3.2 and 3.3; RFC 7505). */
const mailboxStatus = /^5\.(?:1\.(?:[12346]|10)|2\.[012])$/;

/** Replies without an enhanced status code that concern the mailbox (RFC 5321, 4.2.3; RFC 7504). */
const mailboxReplies: readonly unknown[] = [550, 551, 552, 553, 556];

/**
 * Words of servers for a mailbox that does not exist. They outweigh a vague code. `smtp-error.test.ts` has the replies of
 * the large services, with their sources.
 */
const saysNoMailbox =
  /unknown user|user unknown|no such (?:user|recipient|mailbox|address|person)|unroutea?ble address|mailbox (?:unavailable|not found)|(?:user|account|mailbox|recipient|address)\b[^.]{0,40} (?:does not|doesn't) exist|doesn't have an? (?:\S+ )?account|^\d{3}[ -]5\.4\.1 .*recipient address rejected: access denied/i;

/** Words of servers that refuse us rather than the mailbox. */
const refusesUs =
  /relay|spam|spf|dkim|dmarc|black|block|list|polic|authenti|sender|reputation|denied|prohibit|allow|ip\b/i;

/** Words of servers that want fewer mails: the mailbox or the sender is over a limit for a while. */
const limitsRate = /\brate\b|too (?:quickly|many|much|fast)|thread limit|throttl/i;

/** Words about connections and speed, with which a 4xx reply is no fault of the mail. */
const limitsConnections =
  /too many (?:[\w-]+ ){0,3}(?:connections|sessions)|(?:connection|thread) (?:\w+ )?(?:limit|rate)/i;

/**
 * Classifies an error of nodemailer. A 5xx reply is final only if it concerns this mailbox. All others, and those in
 * doubt, may be the operator's to mend: a bad sender or password, a server that relays for nobody, a policy.
 */
export function classifySmtpError(error: unknown): FailedDelivery {
  const failure = error as { code?: unknown; originalCode?: unknown; rejectedErrors?: unknown[] };
  // When the server refuses all recipients, the reply to the first says why.
  const { command, response, responseCode } = (failure.rejectedErrors?.[0] ?? failure) as Record<string, unknown>;
  const reply = typeof response === "string" ? response : "";
  const words = quoteReply(reply);
  if (failure.code === "ETLS" && responseCode !== undefined) return { outcome: "retry", code: "smtp-no-tls" };
  if (typeof responseCode !== "number") {
    // nodemailer replaces the code of the system or of TLS, which tells what happened, by one for all failed connections.
    const code = [failure.originalCode, failure.code].find((each) => typeof each === "string") ?? "failed";
    return { outcome: "retry", code: `smtp-${code.toLowerCase().slice(0, 35)}` };
  }
  // Without addresses, whose parts could look like words of a policy.
  const text = reply.slice(0, replyLimit).replaceAll(/\S+@\S+/g, "");
  const status = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1];
  const refusesName = namesGreeting.test(String(command)) || (command !== "DATA" && namesGreeting.test(text));
  const step = refusesName ? "ehlo-" : (otherSteps.find(([name]) => name.test(String(command)))?.[1] ?? "");
  const isBusy = !refusesName && (responseCode === 421 || (responseCode < 500 && limitsConnections.test(text)));
  const isRejected =
    !refusesName &&
    responseCode >= 500 &&
    ((command === "RCPT TO" && refusesMailbox(responseCode, status, text)) ||
      (command === "DATA" && namesNoMailbox(text)));
  return {
    outcome: isBusy ? "busy" : isRejected ? "rejected" : "retry",
    code: `smtp-${step}${responseCode}${status === undefined ? "" : `-${status.replaceAll(".", "-")}`}`,
    words,
  };
}

function refusesMailbox(replyCode: number, status: string | undefined, text: string): boolean {
  if (limitsRate.test(text)) return false;
  if (namesNoMailbox(text)) return true;
  return status === undefined
    ? mailboxReplies.includes(replyCode) && !refusesUs.test(text)
    : mailboxStatus.test(status);
}

/** Tells whether the words say that the mailbox does not exist, and name nothing that concerns the sender. */
function namesNoMailbox(text: string): boolean {
  return saysNoMailbox.test(text) && !refusesUs.test(text.replace(saysNoMailbox, ""));
}

/** Returns a server's reply in one bounded line, without the addresses in it. */
export function quoteReply(reply: string): string | undefined {
  const lines = reply.slice(0, replyLimit).replaceAll(/\r?\n\d{3}[ -](?:\d\.\d{1,3}\.\d{1,3} )?/g, " ");
  const line = normalizeLine(lines.replaceAll(/(?:"[^"\r\n]*"|\S+)@\S+/g, "(address)").replaceAll("@", "(at)"));
  return line === "" ? undefined : firstCharacters(line.replace(/^(\d{3})-/, "$1 "), wordsLimit);
}
