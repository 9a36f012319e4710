import { randomBytes } from "node:crypto";
import type { Calls } from "./test-backend.ts";

/** Texts of a submission that every check accepts. */
export const exampleSubmission = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  company: "Engines Ltd",
  stage: "Growth",
  goal: "Scale the practice",
  message: "Please call me.",
};

/** The two mails of a submission. */
export const exampleMails = [
  { kind: "firm", recipient: null, reply_to: "ada@example.com", subject: "A message", body: "Please call me." },
  { kind: "acknowledgement", recipient: "ada@example.com", reply_to: null, subject: "Received", body: "Thank you." },
];

/** Returns the same two mails to a new address, because one address gets few acknowledgements a day. */
function newMails() {
  const recipient = `${randomBytes(8).toString("hex")}@example.com`;
  return exampleMails.map((mail) => (mail.kind === "acknowledgement" ? { ...mail, recipient } : mail));
}

/** Returns the code of a new client, because one client causes few acknowledgements a day. */
export function newCode(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns a new fingerprint. */
export function newFingerprint(): string {
  return randomBytes(32).toString("hex");
}

/** Differences from the example in a call of {@link receive}. */
interface ReceiveOptions {
  fingerprint?: string;
  submission?: Record<string, unknown>;
  quarantineReason?: string;
  mails?: Record<string, unknown>[];
  /** a new client by default */
  clientCodes?: { client?: string | null; network?: string | null };
  /** acknowledgements per hour; no limit by default */
  perHour?: number | null;
  /** wish to join the network; none by default */
  membership?: Record<string, unknown>;
}

/** Calls `receive_contact_submission` as the edge function does. */
export function receive(client: Calls, options: ReceiveOptions = {}) {
  return client
    .rpc("receive_contact_submission", {
      submission: { ...exampleSubmission, ...options.submission },
      fingerprint: options.fingerprint ?? newFingerprint(),
      quarantine_reason: options.quarantineReason ?? null,
      mails: options.mails ?? newMails(),
      client_codes: options.clientCodes ?? { client: newCode() },
      acknowledgements_per_hour: options.perHour === undefined ? 0 : options.perHour,
      membership: options.membership ?? null,
    })
    .single<{ submission_id: string; is_new: boolean }>();
}
