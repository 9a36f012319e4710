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

/** @param host under which the mail server of this machine is reached; 0.0.0.0 is none of the loopback addresses */
async function send(host: string, offersTls: boolean, settings: Record<string, string> = {}, options = "") {
  server = await startMailServer(0, undefined, undefined, offersTls);
  const all: Record<string, string> = {
    SMTP_URL: server.url.replace("127.0.0.1", host) + options,
    MAIL_FROM: "website@firm.example",
    CONTACT_TO: "office@firm.example",
    ...signIn,
    ...settings,
  };
  const mail = { id: "0d1f6f0e-5a3e-4f0b-9d5e-1d2c3b4a5f60", kind: "firm", recipient: null, reply_to: null } as const;
  const rest = { subject: "s", body: "b", thread: [], attempts: 1, created_at: new Date().toISOString() };
  return runWithHost({ setting: (name) => all[name] }, () => sendEmail({ ...mail, ...rest }));
}

it.each(["", "?requireTLS=false", "?ignoreTLS=true&requireTLS=false", "?opportunisticTLS=true"])(
  "says nothing to a server elsewhere that offers no encryption, nor to whoever took the offer out: %j",
  async (options) => {
    const sent = await send("0.0.0.0", false, {}, options);
    expect(sent).toEqual({ outcome: "retry", code: "smtp-no-tls" });
    expect(server?.signIns).toEqual([]);
    expect(server?.received).toEqual([]);
  },
);

it("signs in by STARTTLS where it is offered, and only to a server whose certificate is good", async () => {
  const sent = await send("0.0.0.0", true);
  expect(sent).toEqual({ outcome: "retry", code: "smtp-esocket" });
  expect(server?.signIns).toEqual([]);
  await server?.close();
  // The test's certificate is nobody's, as an operator may accept it in the address.
  expect(await send("0.0.0.0", true, {}, "?tls.rejectUnauthorized=false")).toEqual({ outcome: "delivered" });
  expect(server?.received.map(({ isEncrypted }) => isEncrypted)).toEqual([true]);
});

it("sends in clear to this machine, and elsewhere with SMTP_TLS=off, also to a relay with a certificate of its own", async () => {
  expect(await send("127.0.0.1", false)).toEqual({ outcome: "delivered" });
  await server?.close();
  expect(await send("0.0.0.0", false, { SMTP_TLS: "off" })).toEqual({ outcome: "delivered" });
  await server?.close();
  expect(await send("0.0.0.0", true, { SMTP_TLS: "off" })).toEqual({ outcome: "delivered" });
  expect(server?.received.map(({ isEncrypted }) => isEncrypted)).toEqual([false]);
});
