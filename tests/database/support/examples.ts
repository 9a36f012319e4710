import { randomBytes, randomUUID } from "node:crypto";
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

/** Returns the same two mails to another address: a new one by default, because one gets few acknowledgements a day. */
export function mailsTo(recipient = `${randomUUID()}@example.com`) {
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

/** Circumstances in which a function receives a form. */
export interface Circumstances {
  quarantineReason?: string;
  /** a new client by default */
  clientCodes?: { client?: string | null; network?: string | null };
  /** acknowledgements per hour; no limit by default */
  perHour?: number | null;
}

/** Returns the parameters of both functions that receive forms. */
export function describeCircumstances({ quarantineReason, clientCodes, perHour = 0 }: Circumstances) {
  return {
    quarantine_reason: quarantineReason ?? null,
    client_codes: clientCodes ?? { client: newCode() },
    acknowledgements_per_hour: perHour,
  };
}

/** Differences from the example in a call of {@link receive}. */
interface ReceiveOptions extends Circumstances {
  fingerprint?: string;
  submission?: Record<string, unknown>;
  mails?: Record<string, unknown>[];
  /** wish to join the network; none by default */
  membership?: Record<string, unknown>;
}

/** Calls `receive_contact_submission` as the edge function does. */
export function receive(client: Calls, options: ReceiveOptions = {}) {
  return client
    .rpc("receive_contact_submission", {
      submission: { ...exampleSubmission, ...options.submission },
      fingerprint: options.fingerprint ?? newFingerprint(),
      mails: options.mails ?? mailsTo(),
      membership: options.membership ?? null,
      ...describeCircumstances(options),
    })
    .single<{ submission_id: string; is_new: boolean }>();
}

/** Receives a message. @returns its id */
export async function receiveMessage({ service }: { service: Calls }, options?: ReceiveOptions): Promise<string> {
  return (await receive(service, options).throwOnError()).data.submission_id;
}
