import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { contactMails } from "#supabase/functions/_shared/mails/contact-mail.ts";
import { acknowledgementLimits } from "~/content/facts";
import { call } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, readActions, readMails, receiveRequest } from "../support/data-rights.ts";
import { exampleSubmission, newCode, newFingerprint, receiveMessage } from "../support/examples.ts";
import { listMails } from "../support/mail.ts";
import { useNetwork } from "../support/network.ts";

const { perMailboxAndDay, perClientAndDay, perNetworkAndDay, perHour, countedHours, waiting, waitingPerNetwork } =
  acknowledgementLimits;

/** Builds the mails of a message from this address, as the function hands them over. */
function mailsOf(email: string): Record<string, unknown>[] {
  const message = { ...exampleSubmission, email, honeypot: "", privacyConsent: true as const };
  const id = randomUUID();
  return contactMails(message, { id, url: "https://firm.example", mailContent: "full" }).map((mail) => ({ ...mail }));
}

/** Differences of a sender from a new one: a new address from a new client, without an hourly limit. */
interface Sender {
  email?: string;
  clientCodes?: { client?: string | null; network?: string | null };
  perHour?: number | null;
}

const connection = "one internet connection";

/** The limits of a day, the senders that each counts as one, and the words of the note. */
const dailyLimits: [of: string, most: number, sender: (code: string) => Sender, words: string][] = [
  ["mailbox", perMailboxAndDay, (code) => ({ email: `v${code}@example.com` }), "this mailbox"],
  ["client", perClientAndDay, (client) => ({ clientCodes: { client } }), connection],
  ["network", perNetworkAndDay, (network) => ({ clientCodes: { client: newCode(), network } }), connection],
  ["caller without a code", perClientAndDay, () => ({ clientCodes: {} }), connection],
];

eachBackend("acknowledgement limits", (backend) => {
  const network = useNetwork(backend);

  // As if all earlier mail had been sent long ago.
  beforeEach(() => backend.exec("delete from private.email_outbox; delete from private.rate_limits"));

  /**
   * Sends a contact message as the function does.
   * @returns the mails queued for it
   */
  async function write({ email = newAddress(), ...sender }: Sender = {}) {
    const id = await receiveMessage(backend, { submission: { email }, mails: mailsOf(email), ...sender });
    return listMails(backend, "submission_id = $1", [id]);
  }

  const isAcknowledged = async (sender?: Sender) =>
    (await write(sender)).some(({ kind }) => kind === "acknowledgement");

  async function getsLinks(sender: Sender) {
    const request = await receiveRequest(backend, sender);
    return (await readMails(backend, request)).some(({ kind }) => kind === "request-acknowledgement");
  }

  /** Moves mails and counts into the past. */
  const pass = (minutes: number) =>
    backend.exec(`update private.email_outbox set created_at = created_at - interval '${minutes} minutes';
      update private.rate_limits set resets_at = resets_at - interval '${minutes} minutes'`);

  async function countMails(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { kind } of await listMails(backend)) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
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

  it("allows three acknowledgements per mailbox and form, and every mail to the firm, at once", async () => {
    const clients = Array.from({ length: 10 }, newCode);
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const name = ["victim", "v.ictim", "vic.tim", "v.i.c.t.i.m"][i % 4];
        const email = `${name}+${i}@${i % 3 ? "gmail.com" : "GoogleMail.com"}`;
        const sender = { email, clientCodes: { client: clients[i % 10] } };
        await (i % 5 ? write(sender) : receiveRequest(backend, sender));
      }),
    );
    expect(await countMails()).toEqual({
      acknowledgement: perMailboxAndDay,
      "request-acknowledgement": perMailboxAndDay,
      firm: 80,
      "request-firm": 20,
    });
    const note = "Please note: %because the site has reached its daily limit for this mailbox";
    expect(await listMails(backend, "body like $1", [`%${note}%`])).toHaveLength(94);
  });

  it.each(dailyLimits)("withholds more acknowledgements a day from a %s than %i", async (_, most, senderOf, words) => {
    const code = newCode();
    for (let i = 0; i < most; i += 1) expect(await isAcknowledged(senderOf(code))).toBe(true);
    const [mail, ...others] = await write(senderOf(code));
    expect([mail, others]).toMatchObject([{ kind: "firm", recipient: null }, []]);
    expect(mail?.body).toContain("Please call me.");
    expect(mail?.body).toContain(
      `no acknowledgement was sent to the sender, because the site has reached its daily limit for ${words}`,
    );
    expect(await isAcknowledged()).toBe(true);
    await pass(countedHours * 60 - 1);
    expect(await isAcknowledged(senderOf(code))).toBe(false);
    await pass(2);
    expect(await isAcknowledged(senderOf(code))).toBe(true);
  });

  it("limits the site per hour to the default, to the operator's number, or not at all", async () => {
    await Promise.all(Array.from({ length: perHour + 5 }, () => write({ perHour: null })));
    expect(await countMails()).toEqual({ firm: perHour + 5, acknowledgement: perHour });
    const [mail] = await write({ perHour: null });
    expect(mail?.body).toContain("the site has reached its hourly limit (ACKNOWLEDGEMENTS_PER_HOUR)");
    expect(await isAcknowledged({ perHour: perHour + 1 })).toBe(true);
    expect(await isAcknowledged({ perHour: perHour + 1 })).toBe(false);
    expect(await isAcknowledged({ perHour: 0 })).toBe(true);
    await pass(61);
    expect(await isAcknowledged({ perHour: null })).toBe(true);
  });

  it("counts messages apart from data rights requests and wishes, whose promised links no client's limit withholds", async () => {
    const email = newAddress();
    for (let i = 0; i < perMailboxAndDay; i += 1) await write({ email });
    expect([await isAcknowledged({ email }), await getsLinks({ email })]).toEqual([false, true]);

    const office = { clientCodes: { client: newCode() } };
    for (let i = 0; i < perClientAndDay; i += 1) await write(office);
    expect(await isAcknowledged(office)).toBe(false);
    for (let i = 0; i <= perClientAndDay; i += 1) {
      expect(await getsLinks(office)).toBe(true);
      const wish = await network.ask(office);
      expect(await network.readMails(wish.email)).toHaveLength(1);
    }

    const sent = (await countMails())["acknowledgement"] ?? 0;
    expect([await isAcknowledged({ perHour: sent }), await getsLinks({ perHour: sent })]).toEqual([false, true]);
  });

  it("stores a request whose links were withheld, logs that, and tells the firm how to send them", async () => {
    const email = newAddress();
    for (let i = 0; i < perMailboxAndDay; i += 1)
      await receiveRequest(backend, { email, description: `Question ${i}` });
    const request = await receiveRequest(backend, { email });
    expect(request.isNew).toBe(true);
    expect(await readActions(backend, request)).toEqual(["received", "confirmation-withheld"]);
    const [mail, ...others] = await readMails(backend, request);
    expect([mail, others]).toMatchObject([{ kind: "request-firm", recipient: null }, []]);
    expect(mail?.body).toContain("no confirmation link was sent to the requester");
    expect(mail?.body).toContain("“Send the confirmation again”");
    expect(mail?.body).not.toContain(email);
    const link = { token: request.tokens.confirm, purpose: "confirm" };
    expect(await call(backend.client(), "find_data_rights_status", link)).toEqual([]);
  });

  it("does not count quarantined or repeated messages", async () => {
    const [client, fingerprint] = [newCode(), newFingerprint()];
    await receiveMessage(backend, { clientCodes: { client }, quarantineReason: "honeypot" });
    for (let time = 0; time < 2; time += 1) await receiveMessage(backend, { clientCodes: { client }, fingerprint });
    expect(await backend.sql("select hits from private.rate_limits where key = $1", [client])).toEqual([{ hits: 1 }]);
  });
});
