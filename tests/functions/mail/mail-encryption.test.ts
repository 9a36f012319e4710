import { afterEach, expect, it } from "vitest";
import { runWithHost } from "#supabase/functions/_shared/host/runtime";
import type { ClaimedMail } from "#supabase/functions/_shared/outbox/outbox";
import { sendEmail } from "#supabase/functions/_shared/outbox/send-email";
import { type MailServer, startMailServer } from "../support/mail-server";

let server: MailServer;
afterEach(() => server.close());

const mail: ClaimedMail = {
  id: "0d1f6f0e-5a3e-4f0b-9d5e-1d2c3b4a5f60",
  kind: "firm",
  recipient: null,
  reply_to: null,
  sender_name: null,
  subject: "s",
  body: "b",
  thread: [],
  link: null,
  attempts: 1,
  created_at: "2026-11-20T01:30:00Z",
};

const noTls = { outcome: "retry", code: "smtp-no-tls" };
const noTrust = { outcome: "retry", code: expect.stringMatching(/^smtp-\w*cert/) as string };
const delivered = { outcome: "delivered" };

/** A server on the loopback address counts as this machine; 0.0.0.0, which reaches the same one, does not. */
const [here, remote] = ["127.0.0.1", "0.0.0.0"];

it.each([
  ["refuses a remote server without STARTTLS", remote, "", "", false, noTls, []],
  ["refuses it although the URL lowers the rule", remote, "?requireTLS=false", "", false, noTls, []],
  ["refuses it although the URL hides that", remote, "?%72equireTLS=false", "", false, noTls, []],
  ["refuses it although the URL ignores TLS", remote, "?ignoreTLS=true&requireTLS=false", "", false, noTls, []],
  ["refuses it although the URL asks for opportunism", remote, "?opportunisticTLS=true", "", false, noTls, []],
  ["refuses a certificate that nobody signed", remote, "", "", true, noTrust, []],
  [
    "encrypts for a certificate that the URL accepts",
    remote,
    "?tls.rejectUnauthorized=false",
    "",
    true,
    delivered,
    [true],
  ],
  ["encrypts nothing to this machine", here, "", "", false, delivered, [false]],
  ["encrypts nothing with SMTP_TLS=off", remote, "", "off", false, delivered, [false]],
  ["encrypts nothing with SMTP_TLS=off although STARTTLS is offered", remote, "", "off", true, delivered, [false]],
])("%s", async (_case, host, options, smtpTls, offersTls, result, encryptions) => {
  server = await startMailServer({ offersTls });
  const settings: Record<string, string> = {
    SMTP_URL: server.url.replace("127.0.0.1", host) + options,
    SMTP_USER: "office@firm.example",
    SMTP_PASSWORD: "secret",
    SMTP_TLS: smtpTls,
    MAIL_FROM: "website@firm.example",
    CONTACT_TO: "office@firm.example",
  };
  expect(await runWithHost({ setting: (name) => settings[name] }, () => sendEmail(mail))).toMatchObject(result);
  expect(server.received.map(({ isEncrypted }) => isEncrypted)).toEqual(encryptions);
  expect(server.signIns).toHaveLength(encryptions.length);
});
