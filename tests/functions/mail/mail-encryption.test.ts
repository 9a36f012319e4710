import { afterEach, expect, it } from "vitest";
import { runWithHost } from "#supabase/functions/_shared/host/runtime";
import { sendEmail } from "#supabase/functions/_shared/outbox/send-email";
import { type MailServer, startMailServer } from "../support/mail-server";

let server: MailServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const signIn = { SMTP_USER: "office@firm.example", SMTP_PASSWORD: "secret" };

/**
 * @param host address of the mail server on this machine; 0.0.0.0 does not count as loopback
 */
async function send(host: string, offersTls: boolean, settings: Record<string, string> = {}, options = "") {
  server = await startMailServer(0, undefined, undefined, offersTls);
  const all: Record<string, string> = {
    SMTP_URL: server.url.replace("127.0.0.1", host) + options,
    MAIL_FROM: "website@firm.example",
    CONTACT_TO: "office@firm.example",
    ...signIn,
    ...settings,
  };
  const mail = {
    id: "0d1f6f0e-5a3e-4f0b-9d5e-1d2c3b4a5f60",
    kind: "firm",
    recipient: null,
    reply_to: null,
    sender_name: null,
  } as const;
  const rest = { subject: "s", body: "b", thread: [], link: null, attempts: 1, created_at: new Date().toISOString() };
  return runWithHost({ setting: (name) => all[name] }, () => sendEmail({ ...mail, ...rest }));
}

it.each(["", "?requireTLS=false", "?ignoreTLS=true&requireTLS=false", "?opportunisticTLS=true"])(
  "sends neither credentials nor mail to a remote server without STARTTLS, with options %j",
  async (options) => {
    const sent = await send("0.0.0.0", false, {}, options);
    expect(sent).toMatchObject({ outcome: "retry", code: "smtp-no-tls" });
    expect(server?.signIns).toEqual([]);
    expect(server?.received).toEqual([]);
  },
);

it("signs in over STARTTLS, and only to a server with a valid certificate", async () => {
  const sent = await send("0.0.0.0", true);
  expect(sent).toEqual({ outcome: "retry", code: expect.stringMatching(/^smtp-\w*cert/) });
  expect(server?.signIns).toEqual([]);
  await server?.close();
  // The test's certificate is self-signed, which an operator can accept by an option in the URL.
  expect(await send("0.0.0.0", true, {}, "?tls.rejectUnauthorized=false")).toEqual({ outcome: "delivered" });
  expect(server?.received.map(({ isEncrypted }) => isEncrypted)).toEqual([true]);
});

it("sends unencrypted to this machine, and with SMTP_TLS=off to a remote server, even if it offers STARTTLS", async () => {
  expect(await send("127.0.0.1", false)).toEqual({ outcome: "delivered" });
  await server?.close();
  expect(await send("0.0.0.0", false, { SMTP_TLS: "off" })).toEqual({ outcome: "delivered" });
  await server?.close();
  expect(await send("0.0.0.0", true, { SMTP_TLS: "off" })).toEqual({ outcome: "delivered" });
  expect(server?.received.map(({ isEncrypted }) => isEncrypted)).toEqual([false]);
});
