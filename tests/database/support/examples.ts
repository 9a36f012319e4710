import { randomBytes } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";

/** The texts of a submission that every check accepts. */
export const exampleSubmission = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  company: "Engines Ltd",
  stage: "Growth",
  goal: "Scale the practice",
  message: "Please call me.",
};

/** The two mails that belong to a submission. */
export const exampleMails = [
  { kind: "firm", recipient: null, reply_to: "ada@example.com", subject: "A message", body: "Please call me." },
  { kind: "acknowledgement", recipient: "ada@example.com", reply_to: null, subject: "Received", body: "Thank you." },
];

/** The same two mails to an address that no other test uses, because one address gets few acknowledgements a day. */
function newMails() {
  const recipient = `${randomBytes(8).toString("hex")}@example.com`;
  return exampleMails.map((mail) => (mail.kind === "acknowledgement" ? { ...mail, recipient } : mail));
}

/** A code of a client that no other test uses, because one client causes few acknowledgements a day. */
export function newCode(): string {
  return randomBytes(32).toString("base64url");
}

/** A fingerprint that no other test uses. */
export function newFingerprint(): string {
  return randomBytes(32).toString("hex");
}

/** What differs from the example in one call of {@link receive}. */
interface ReceiveOptions {
  fingerprint?: string;
  submission?: Record<string, unknown>;
  quarantineReason?: string;
  mails?: Record<string, unknown>[];
  /** a new client by default */
  clientCodes?: { client?: string | null; network?: string | null };
  /** any number by default */
  perHour?: number | null;
}

/** Calls `receive_contact_submission` as the function does. */
export function receive(client: SupabaseClient, options: ReceiveOptions = {}) {
  return client
    .rpc("receive_contact_submission", {
      submission: { ...exampleSubmission, ...options.submission },
      fingerprint: options.fingerprint ?? newFingerprint(),
      quarantine_reason: options.quarantineReason ?? null,
      mails: options.mails ?? newMails(),
      client_codes: options.clientCodes ?? { client: newCode() },
      acknowledgements_per_hour: options.perHour === undefined ? 0 : options.perHour,
    })
    .single<{ submission_id: string; is_new: boolean }>();
}
