import { countOf } from "../../../../app/lib/count-of.ts";
import type { DataRightsRequestType } from "../data-rights-request.ts";
import type { MailKind, QueuedMail } from "../outbox/outbox.ts";
import { type Trouble, troubles } from "../trouble.ts";

/** Counts of pending work from the database (list_firm_notices). */
export interface Digest {
  waiting: number;
  late: number;
  held_back: number;
  /** open requests and complaints, by due date */
  requests: { reference: string; request_type: DataRightsRequestType; due_on: string }[];
  /** people who confirmed that they want to join the investor network, and whom no admin has admitted or declined */
  network_confirmed: number;
  stuck_mails: number;
  /** mails that were not delivered, with the reference of their message or request; null for account links */
  undelivered: { kind: MailKind; reference: string | null }[];
  /** trouble with the site that lasts, or events of the last day */
  troubles: Trouble[];
}

/**
 * Writes the digest of pending work for a working morning. Names no person.
 * @param clock `now`: milliseconds since 1970; `today`: current day at the firm, an ISO date; `backupAt`: time of the
 *   newest backup, milliseconds since 1970, null for never, undefined for unknown
 */
export function digestMail(
  digest: Digest,
  siteUrl: string,
  { now, today, backupAt }: { now: number; today: string; backupAt: number | null | undefined },
): Pick<QueuedMail, "subject" | "body"> {
  const requests = digest.requests.filter(({ request_type }) => request_type !== "complaint");
  const complaints = digest.requests.filter(({ request_type }) => request_type === "complaint");
  const parts = [
    digest.waiting > 0 ? `${countOf(digest.waiting, "message")} to answer${lateNote(digest.late)}` : null,
    requests.length > 0 ? `${countOf(requests.length, "data rights request")}:\n${list(requests, today)}` : null,
    complaints.length > 0 ? `${countOf(complaints.length, "complaint")}:\n${list(complaints, today)}` : null,
    digest.network_confirmed > 0 ? toReview(digest.network_confirmed, siteUrl) : null,
    digest.held_back > 0
      ? `${countOf(digest.held_back, "message")} held back as possible spam since the last digest`
      : null,
    digest.stuck_mails > 0 ? `${countOf(digest.stuck_mails, "email")} waiting for the mail server` : null,
    digest.undelivered.length > 0 ? undelivered(digest.undelivered, siteUrl) : null,
    digest.troubles.length > 0
      ? `Trouble: ${digest.troubles.map(({ cause }) => troubles[cause].title).join("; ")}`
      : null,
  ];
  const backup = backupAt === undefined ? "" : `\nLast backup: ${backupAt === null ? "never" : age(now - backupAt)}\n`;
  return {
    subject: `${new URL(siteUrl).host}: ${summarize(digest)}`,
    body: `${parts.filter((part) => part !== null).join("\n\n")}

Messages: ${new URL("/admin", siteUrl).href}
Requests: ${new URL("/admin/requests", siteUrl).href}
${backup}`,
  };
}

function toReview(people: number, siteUrl: string): string {
  const address = new URL("/admin/network", siteUrl).href;
  return `${countOf(people, "person waits", "people wait")} for your review in the investor network: ${address}`;
}

function undelivered(mails: Digest["undelivered"], siteUrl: string): string {
  const lines = mails.map(({ kind, reference }) =>
    reference === null
      ? "- link to an account"
      : `- ${kind.startsWith("request") ? "request" : "message"} ${reference}${kind === "acknowledgement" ? " (acknowledgement)" : ""}`,
  );
  return `${countOf(mails.length, "email")} not delivered:\n${lines.join("\n")}\nSend again or correct the address: ${new URL("/admin/mail", siteUrl).href}`;
}

function summarize({ waiting, late, requests, network_confirmed: people }: Digest): string {
  const parts = [
    waiting > 0 ? `${countOf(waiting, "message")} to answer${lateNote(late)}` : null,
    requests.length > 0 ? `${countOf(requests.length, "request")} open` : null,
    people > 0 ? `${countOf(people, "person", "people")} to review` : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(", ") : "something needs attention";
}

function lateNote(late: number): string {
  return late > 0 ? ` (${late} late)` : "";
}

const dayMs = 24 * 60 * 60 * 1000;

function list(requests: Digest["requests"], today: string): string {
  return requests
    .map(({ reference, due_on }) => {
      const days = (Date.parse(due_on) - Date.parse(today)) / dayMs;
      return `- ${reference}: ${days < 0 ? `${countOf(-days, "day")} overdue` : `${countOf(days, "day")} left`}`;
    })
    .join("\n");
}

function age(ms: number): string {
  return ms < 2 * dayMs
    ? `${countOf(Math.floor(ms / (dayMs / 24)), "hour")} ago`
    : `${countOf(Math.floor(ms / dayMs), "day")} ago`;
}
