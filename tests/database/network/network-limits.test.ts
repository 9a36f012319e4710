import { beforeEach, expect, it } from "vitest";
import { acknowledgementLimits } from "~/content/facts";
import { call } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress } from "../support/data-rights.ts";
import { newCode } from "../support/examples.ts";
import { callAsk, linkMail, useNetwork } from "../support/network.ts";

const { perMailboxAndDay, perHour, waiting } = acknowledgementLimits;

eachBackend("limits on asking to join the network", (backend) => {
  const network = useNetwork(backend);
  beforeEach(() =>
    backend.exec(`delete from private.email_outbox; delete from private.rate_limits; delete from private.contact_receipts;
       set private.erases_log = 'on'; delete from public.network_members; set private.erases_log = 'off'`),
  );

  async function count(table: string): Promise<number> {
    const [row] = await backend.sql<{ n: number }>(`select count(*)::int as n from ${table}`);
    return row!.n;
  }

  const askForLink = (parameters: Record<string, unknown>) =>
    call(backend.service, "ask_network_link", { mail: linkMail, ...parameters });
  const release = (per_hour?: number) => call(backend.service, "release_waiting_mail", { per_hour });

  /** Asks for a lost link, and lets the mails in the line go. @returns whether the address got a mail by it */
  async function getsLink(email: string, per_hour = 0) {
    const before = await countLinks(email);
    await askForLink({ email, client_codes: { client: newCode() }, per_hour });
    await release(per_hour);
    return (await countLinks(email)) > before;
  }

  const countLinks = (email: string) =>
    count(`private.email_outbox where kind = 'network' and line is null and recipient = lower(btrim('${email}'))`);

  it("keeps to the limits when fifty asks with one address arrive at once", async () => {
    const email = newAddress();
    const asks = Array.from({ length: 50 }, (_, n) => network.ask({ email, membership: { place: `Place ${n}` } }));
    await Promise.all(asks);
    expect(await count("public.network_members")).toBe(1);
    expect(await network.readMails(email)).toHaveLength(perMailboxAndDay);
    expect(await network.readActions(email)).toHaveLength(perMailboxAndDay);
    expect(await network.find(email)).toMatchObject({ state: "asked", pending: expect.any(Object) });
  });

  it("stores only people whose mail goes or waits, for 400 asks from as many networks", async () => {
    const submissions = "public.contact_submissions where email like 'person%'";
    const before = await count(submissions);
    // In one call, because as many requests take a minute.
    await backend.exec(
      `do $$ begin for n in 1..400 loop begin
         perform public.receive_contact_submission(
           jsonb_build_object('name', 'Ada', 'company', 'Engines', 'stage', 'Growth', 'goal', 'Join', 'message', 'Hello',
             'email', 'person' || n || '@example.com'),
           private.digest('fingerprint ' || n), null, '[]', jsonb_build_object('client', lpad(n::text, 43, '0')),
           ${perHour}, jsonb_build_object('consent_text_hash', repeat('c', 64), 'consent_policy_version', '1.0',
             'mail', '${JSON.stringify(linkMail)}'::jsonb)
         );
       exception when sqlstate 'PT429' then null; end; end loop; end $$`,
    );
    expect(await count("public.network_members")).toBe(perHour + waiting);
    expect((await count(submissions)) - before).toBe(perHour + waiting);
    expect(await count("private.email_outbox where kind = 'network' and line is null")).toBe(perHour);
    expect((await callAsk(backend.service, { perHour })).error).toMatchObject({ code: "PT429" });
    // Reminders go to twenty in an hour, even while others wait.
    await backend.exec(`update private.email_outbox set delivered_at = created_at where line is null;
      update public.network_members set asked_at = asked_at - interval '4 days'`);
    expect(await call(backend.service, "list_due_network_mails")).toHaveLength(20);
  });

  it("sends one mail for an ask that is posted twice, and another after ten minutes", async () => {
    const email = newAddress();
    const fingerprint = "f".repeat(64);
    const asks = await Promise.all(Array.from({ length: 5 }, () => network.ask({ email, fingerprint })));
    expect(new Set(asks.map(({ submissionId }) => submissionId)).size).toBe(1);
    expect(await network.readMails(email)).toHaveLength(1);
    expect(await network.readActions(email)).toEqual(["member asked"]);
    // The message is a repeat for a day, the wish is not.
    await network.ageLinks(email);
    const later = await network.ask({ email, fingerprint });
    expect(later.submissionId).toBe(asks[0]!.submissionId);
    expect(await network.readMails(email)).toHaveLength(2);
    expect(await network.open(later.token)).toMatchObject({ state: "asked" });
    // Another wish is another mail.
    await network.ask({ email, fingerprint, membership: { kind: "fund" } });
    expect(await network.readMails(email)).toHaveLength(3);
    expect(await network.readActions(email)).toEqual(["member asked", "member asked-again", "member asked-again"]);
  });

  it("sends the mail that was held back with the first ask when the second is not", async () => {
    const email = newAddress();
    await network.ask({ email, quarantineReason: "honeypot" });
    expect(await network.readMails(email)).toEqual([]);
    const { token } = await network.ask({ email });
    expect(await network.readMails(email)).toHaveLength(1);
    expect(await network.confirm(token)).toMatchObject({ state: "confirmed" });
  });

  it("mails a lost link to members only, at most every ten minutes, and within the limits", async () => {
    const { email, token } = await network.join();
    expect(await getsLink(email)).toBe(false);
    await network.ageLinks(email);
    expect(await getsLink(` ${email.toUpperCase()} `)).toBe(true);
    expect(await network.open(token)).toBeNull();
    expect(await network.open(await network.tokenOf(email))).toMatchObject({ email });
    // Three questions about one mailbox a day, also those that sent nothing.
    await network.ageLinks(email);
    expect(await getsLink(email)).toBe(false);
    // Above the hourly limit the link waits, and the earlier one works until then.
    const other = await network.join();
    await network.ageLinks(other.email);
    expect(await getsLink(other.email, 1)).toBe(false);
    expect(await network.open(other.token)).toMatchObject({ email: other.email });
    await release(0);
    expect(await countLinks(other.email)).toBe(2);
    expect(await network.open(other.token)).toBeNull();
  });

  it("mails the link that a letter's holder asks for to the member alone", async () => {
    const { email } = await network.join();
    await network.ageLinks(email);
    const letter = await network.tokenOf(email, "letter");
    const askByLetter = async (token: string) => {
      const asked = await askForLink({ token });
      await release();
      return [asked, await countLinks(email)];
    };
    expect(await askByLetter("A".repeat(64))).toEqual([[{ hours: 0, withheld_by: null }], 1]);
    expect(await askByLetter(letter)).toEqual([[{ hours: 0, withheld_by: null }], 2]);
    await network.ageLinks(email);
    expect(await askByLetter(await network.tokenOf(email))).toEqual([[{ hours: 0, withheld_by: null }], 2]);
  });

  it.each(["unknown", "unconfirmed", "member", "stopped", "restricted", "left"])(
    "shows and takes the same places in the line for an address that is %s",
    async (kind) => {
      const email = newAddress();
      if (kind !== "unknown") {
        const { token } = kind === "unconfirmed" ? await network.ask({ email }) : await network.join({ email });
        if (kind === "left") await network.leave(token);
        const column = { stopped: "unsubscribed_at", restricted: "frozen_at" }[kind];
        if (column) await network.set(email, `${column} = now()`);
        await network.ageLinks(email);
      }
      await backend.exec("delete from private.rate_limits; delete from private.email_outbox where line is not null");
      const clientCodes = { client: newCode() };
      const link = async () => (await askForLink({ email, client_codes: clientCodes, per_hour: 2 }))[0];
      const wish = (investor: string) => async () =>
        (await callAsk(backend.service, { email, clientCodes, perHour: 2, membership: { kind: investor } })).data;
      const readHits = () => backend.sql("select hits from private.rate_limits where key = 'all:network'");
      const seen: unknown[] = [];
      // The mailbox has had its three before the last two.
      for (const question of [link, wish("angel"), wish("fund"), link, wish("lender")]) {
        const { hours } = await question();
        seen.push([hours, await count("private.email_outbox where line is not null"), await readHits()]);
      }
      // The place of the first question leaves the line only with release_waiting_mail.
      const hits = [{ hits: 1 }];
      expect(seen).toEqual([
        [0, 1, []],
        [0, 1, hits],
        [48, 2, hits],
        [72, 3, hits],
        [96, 4, hits],
      ]);
      await release(0);
      expect(await count("private.email_outbox where line is not null or recipient = '-'")).toBe(0);
      expect(await readHits()).toEqual([{ hits: 5 }]);
    },
  );

  it.each(["unsubscribed_at = now()", "paused_at = now()", "left"])(
    "lets a member who is away (%s) come back, with one mail in 30 days",
    async (away) => {
      const email = newAddress();
      const { token } = await network.join({ email });
      if (away === "left") await network.leave(token);
      else await network.set(email, away);
      const before = (await network.readMails(email)).length;
      for (const kind of ["fund", "lender", "angel"]) {
        await backend.exec("delete from private.rate_limits where resets_at < now() + interval '2 days'");
        await network.ageLinks(email);
        await network.ask({ email, membership: { kind } });
        await network.ageLinks(email);
        await getsLink(email);
      }
      expect((await network.readMails(email)).length - before).toBe(1);
      expect(await network.confirm(await network.tokenOf(email))).toMatchObject({
        unsubscribed_at: null,
        paused_at: null,
      });
    },
  );
});
