import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { contactMails } from "#supabase/functions/_shared/mails/contact-mail.ts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { acknowledgementLimits } from "~/content/facts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, readActions, readMails, receiveRequest, sampleMail } from "../support/data-rights.ts";
import { exampleSubmission, newCode, receive } from "../support/examples.ts";
import { signInAdmin } from "../support/test-backend.ts";

const { perMailboxAndDay, perClientAndDay, perNetworkAndDay, perHour, countedHours, waiting, waitingPerNetwork } =
  acknowledgementLimits;

/** Builds the mails of a message from this address, as the function hands them over. */
function mailsOf(email: string): Record<string, unknown>[] {
  const message = { ...exampleSubmission, email, honeypot: "", privacyConsent: true as const };
  const id = randomUUID();
  return contactMails(message, { id, url: "https://firm.example", mailContent: "full" }).map((mail) => ({ ...mail }));
}

eachBackend("acknowledgement limits", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });
  // As if all earlier mail had been sent long ago.
  beforeEach(() => backend.exec("delete from private.email_outbox"));

  type Sender = Pick<Parameters<typeof receive>[1] & object, "clientCodes" | "perHour">;

  /**
   * Sends a contact message as the function does.
   * @returns the mails queued for it
   */
  async function write(email: string, sender: Sender = {}) {
    const sent = { submission: { email }, mails: mailsOf(email), ...sender };
    const { data } = await receive(backend.service, sent).throwOnError();
    return backend.sql<{ kind: string; recipient: string | null; body: string }>(
      "select kind, recipient, body from private.email_outbox where submission_id = $1 order by kind",
      [data.submission_id],
    );
  }

  const isAcknowledged = async (email: string, sender?: Sender) =>
    (await write(email, sender)).some(({ kind }) => kind === "acknowledgement");

  async function getsLinks(email: string, sender: Sender = {}) {
    const request = await receiveRequest(backend, { email, ...sender });
    return (await readMails(backend, request)).some(({ kind }) => kind === "request-acknowledgement");
  }

  async function countMails(): Promise<Record<string, number>> {
    const rows = await backend.sql<{ kind: string; n: number }>(
      "select kind, count(*)::int as n from private.email_outbox group by kind",
    );
    return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]));
  }

  it.each([
    ["Ada@Example.COM", "ada@example.com"],
    [" ada+news@example.com ", "ada@example.com"],
    ["ada+a+b@example.com", "ada@example.com"],
    ["a.da@example.com", "a.da@example.com"],
    ["+ada@example.com", "+ada@example.com"],
    ["V.i.c.tim+9@GMail.com", "victim@gmail.com"],
    ["vic.tim@googlemail.com", "victim@gmail.com"],
    ["vic.tim@gmail.com.example", "vic.tim@gmail.com.example"],
    ['"a@b+c"@example.com', '"a@b@example.com'],
  ])("counts the address %j as the mailbox %j", async (email, mailbox) => {
    expect(await backend.sql("select private.mailbox_key($1) as mailbox", [email])).toEqual([{ mailbox }]);
  });

  it("matches the limits in the facts", async () => {
    expect(await backend.sql("select * from private.acknowledgement_limits()")).toEqual([
      {
        per_mailbox_and_day: perMailboxAndDay,
        per_client_and_day: perClientAndDay,
        per_network_and_day: perNetworkAndDay,
        per_hour: perHour,
        waiting,
        waiting_per_network: waitingPerNetwork,
      },
    ]);
  });

  it("allows three acknowledgements per mailbox and form, and every mail to the firm", async () => {
    const clients = Array.from({ length: 10 }, newCode);
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const name = ["victim", "v.ictim", "vic.tim", "v.i.c.t.i.m"][i % 4];
        const email = `${name}+${i}@${i % 3 ? "gmail.com" : "GoogleMail.com"}`;
        const sender = { clientCodes: { client: clients[i % 10] } };
        if (i % 5) await write(email, sender);
        else await receiveRequest(backend, { email, ...sender });
      }),
    );
    const { acknowledgement = 0, "request-acknowledgement": ofRequests = 0, ...firm } = await countMails();
    expect([acknowledgement, ofRequests]).toEqual([perMailboxAndDay, perMailboxAndDay]);
    expect(firm).toEqual({ firm: 80, "request-firm": 20 });
    const noted = await backend.sql<{ n: number }>(
      "select count(*)::int as n from private.email_outbox where body like '%Please note: %because the site has reached its daily limit for this mailbox%'",
    );
    expect(noted[0]?.n).toBe(94);
  });

  it("starts over for a mailbox after a day", async () => {
    const email = newAddress();
    for (let i = 0; i < perMailboxAndDay; i++) expect(await isAcknowledged(email)).toBe(true);
    expect(await isAcknowledged(email)).toBe(false);
    const age = "update private.email_outbox set created_at = now() - interval '24 hours 1 second' returning 1 as one";
    await backend.sql(age);
    expect(await isAcknowledged(email)).toBe(true);
  });

  it("withholds a client's sixth acknowledgement of a day, with a note to the firm", async () => {
    const sender = { clientCodes: { client: newCode() } };
    for (let i = 0; i < perClientAndDay; i++) expect(await isAcknowledged(newAddress(), sender)).toBe(true);
    const [mail, ...others] = await write(newAddress(), sender);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: "firm", recipient: null });
    expect(mail?.body).toContain("Please call me.");
    expect(mail?.body).toContain(
      "no acknowledgement was sent to the sender, because the site has reached its daily limit for one internet connection",
    );
    expect(await isAcknowledged(newAddress())).toBe(true);

    const [left] = await backend.sql<{ seconds: number }>(
      "select extract(epoch from resets_at - now())::int as seconds from private.rate_limits where key = $1",
      [sender.clientCodes.client],
    );
    expect(left?.seconds).toBeGreaterThan(countedHours * 3_600 - 60);
    expect(left?.seconds).toBeLessThanOrEqual(countedHours * 3_600);
    const expire =
      "update private.rate_limits set resets_at = now() - interval '1 second' where key = $1 returning 1 as one";
    await backend.sql(expire, [sender.clientCodes.client]);
    expect(await isAcknowledged(newAddress(), sender)).toBe(true);
  });

  it("limits a network across all its clients", async () => {
    const network = newCode();
    const fromNetwork = () => ({ clientCodes: { client: newCode(), network } });
    for (let i = 0; i < perNetworkAndDay; i++) expect(await isAcknowledged(newAddress(), fromNetwork())).toBe(true);
    expect(await isAcknowledged(newAddress(), fromNetwork())).toBe(false);
    expect(await isAcknowledged(newAddress(), { clientCodes: { client: newCode(), network: newCode() } })).toBe(true);
  });

  it("counts all callers without a code as one client", async () => {
    for (let i = 0; i < perClientAndDay; i++)
      expect(await isAcknowledged(newAddress(), { clientCodes: {} })).toBe(true);
    expect(await isAcknowledged(newAddress(), { clientCodes: { client: null, network: null } })).toBe(false);
  });

  it("limits the site per hour to the default, to the operator's number, or not at all", async () => {
    const addresses = Array.from({ length: perHour + 5 }, newAddress);
    await Promise.all(addresses.map((email) => write(email, { perHour: null })));
    expect(await countMails()).toEqual({ firm: perHour + 5, acknowledgement: perHour });
    const [mail] = await write(newAddress(), { perHour: null });
    expect(mail?.body).toContain("the site has reached its hourly limit (ACKNOWLEDGEMENTS_PER_HOUR)");

    expect(await isAcknowledged(newAddress(), { perHour: perHour + 1 })).toBe(true);
    expect(await isAcknowledged(newAddress(), { perHour: perHour + 1 })).toBe(false);
    expect(await isAcknowledged(newAddress(), { perHour: 0 })).toBe(true);
    await backend.sql("update private.email_outbox set created_at = now() - interval '61 minutes' returning 1 as one");
    expect(await isAcknowledged(newAddress(), { perHour: null })).toBe(true);
  });

  it("counts messages and data rights requests separately", async () => {
    const email = newAddress();
    for (let i = 0; i < perMailboxAndDay; i++) await write(email);
    expect(await isAcknowledged(email)).toBe(false);
    expect(await getsLinks(email)).toBe(true);

    const office = { clientCodes: { client: newCode() } };
    for (let i = 0; i < perClientAndDay; i++) await write(newAddress(), office);
    expect(await isAcknowledged(newAddress(), office)).toBe(false);
    // Confirmations are promised, so no limit of a client withholds them.
    for (let i = 0; i <= perClientAndDay; i++) expect(await getsLinks(newAddress(), office)).toBe(true);

    const sent = (await countMails())["acknowledgement"] ?? 0;
    expect(await isAcknowledged(newAddress(), { perHour: sent })).toBe(false);
    expect(await getsLinks(newAddress(), { perHour: sent })).toBe(true);
  });

  it("stores a request whose links were withheld, logs it, and lets an admin send them", async () => {
    const email = newAddress();
    for (let i = 0; i < perMailboxAndDay; i++) await receiveRequest(backend, { email, description: `Question ${i}` });
    const request = await receiveRequest(backend, { email });
    expect(request.isNew).toBe(true);
    expect(await readActions(backend, request)).toEqual(["received", "confirmation-withheld"]);
    const [mail, ...others] = await readMails(backend, request);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: "request-firm", recipient: null });
    expect(mail?.body).toContain("no confirmation link was sent to the requester");
    expect(mail?.body).toContain("“Send the confirmation again”");
    expect(mail?.body).not.toContain(email);
    const open = (token: string) =>
      backend.client().rpc("find_data_rights_status", { token, purpose: "confirm" }).throwOnError();
    expect((await open(request.tokens.confirm)).data).toEqual([]);

    const [confirm, status] = [newSecretToken(), newSecretToken()];
    const hashes = { confirm_token_hash: await digestOfToken(confirm), status_token_hash: await digestOfToken(status) };
    await admin
      .rpc("resend_request_links", { step: "resend", request_id: request.id, ...hashes, mail: sampleMail })
      .throwOnError();
    expect((await open(confirm)).data).toMatchObject([{ reference: request.reference }]);
    expect((await readMails(backend, request)).map(({ kind }) => kind)).toContain("request-acknowledgement");
  });

  it("does not count quarantined, repeated or rejected messages", async () => {
    const sender = { clientCodes: { client: newCode() } };
    const fingerprint = newCode();
    await receive(backend.service, {
      ...sender,
      mails: mailsOf(newAddress()),
      quarantineReason: "honeypot",
    }).throwOnError();
    await receive(backend.service, { ...sender, mails: mailsOf(newAddress()), fingerprint }).throwOnError();
    await receive(backend.service, { ...sender, mails: mailsOf(newAddress()), fingerprint }).throwOnError();
    const refused = await receive(backend.service, {
      ...sender,
      mails: [{ ...mailsOf("a@b.example")[1], body: null }],
    });
    expect(refused.error).not.toBeNull();
    const counted = "select hits from private.rate_limits where key = $1";
    expect(await backend.sql(counted, [sender.clientCodes.client])).toEqual([{ hits: 1 }]);
  });
});
