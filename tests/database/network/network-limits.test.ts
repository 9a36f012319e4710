import { beforeEach, expect, it } from "vitest";
import { acknowledgementLimits } from "~/content/facts";
import { eachBackend } from "../support/backends.ts";
import { newAddress } from "../support/data-rights.ts";
import { newCode } from "../support/examples.ts";
import {
  ageLinks,
  ageMember,
  ask,
  byToken,
  findMember,
  join,
  linkMail,
  readMemberActions,
  readNetworkMails,
  settleWaiting,
  tokenOf,
} from "../support/network.ts";

const { perMailboxAndDay, perClientAndDay } = acknowledgementLimits;

eachBackend("limits on asking to join the network", (backend) => {
  beforeEach(() =>
    backend.exec(`delete from private.email_outbox; delete from private.rate_limits; delete from private.contact_receipts;
       set private.erases_log = 'on'; delete from public.network_members; set private.erases_log = 'off'`),
  );

  async function count(table: string): Promise<number> {
    const [row] = await backend.sql<{ n: number }>(`select count(*)::int as n from ${table}`);
    return row!.n;
  }

  async function askLink(email: string, options: { client?: string; perHour?: number } = {}) {
    const { data } = await backend.service
      .rpc("ask_network_link", {
        email,
        mail: linkMail,
        client_codes: { client: options.client ?? newCode() },
        per_hour: options.perHour ?? 0,
      })
      .throwOnError();
    return data as boolean;
  }

  /** Receives 1,000 asks in one call, because as many requests take a minute. SQL expressions may name the number, n. */
  const askThousandTimes = (email: string, client: string) =>
    backend.sql(
      `select public.receive_contact_submission(
         jsonb_build_object('name', 'Ada', 'company', 'Engines', 'stage', 'Growth', 'goal', 'Join', 'message', 'Hello',
           'email', ${email}),
         private.digest('fingerprint ' || n), null, '[]', jsonb_build_object('client', ${client}), 60,
         jsonb_build_object('place', 'Place ' || n, 'consent_text_hash', $1::text, 'consent_policy_version', '1.0',
           'mail', $2::jsonb)
       ) as ok from generate_series(1, 1000) as n`,
      ["c".repeat(64), JSON.stringify(linkMail)],
    );
  const newClient = "translate(rtrim(encode(sha256(n::text::bytea), 'base64'), '='), '+/', '-_')";

  it("stores one member and few mails and log entries for 1,000 asks with one address", async () => {
    await askThousandTimes("'ada@example.com'", newClient);
    expect(await count("public.network_members")).toBe(1);
    expect(await readNetworkMails(backend, "ada@example.com")).toHaveLength(perMailboxAndDay);
    expect(await readMemberActions(backend, "ada@example.com")).toHaveLength(perMailboxAndDay);
    expect(await findMember(backend, "ada@example.com")).toMatchObject({
      place: "Place 1",
      pending: { place: "Place 1000" },
      state: "asked",
    });
  });

  it("keeps to the limits when fifty asks with one address arrive at once", async () => {
    const email = newAddress();
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => ask(backend, { email, membership: { place: `Place ${n}` } })),
    );
    expect(await count("public.network_members")).toBe(1);
    expect(await readNetworkMails(backend, email)).toHaveLength(perMailboxAndDay);
    expect(await readMemberActions(backend, email)).toHaveLength(perMailboxAndDay);
  });

  it("stores every member, but mails within the limits, for 1,000 asks with many addresses", async () => {
    await askThousandTimes("'person' || n || '@example.com'", `case when n % 2 = 0 then ${newClient} end`);
    expect(await count("public.network_members")).toBe(1000);
    expect(await count("private.email_outbox where kind = 'network'")).toBe(60);
    // The reminder goes only to those who got the first mail, and to twenty in an hour.
    await backend.exec("update private.email_outbox set delivered_at = created_at");
    await backend.exec("update public.network_members set asked_at = asked_at - interval '4 days'");
    const { data } = await backend.service.rpc("list_due_network_mails").throwOnError();
    expect(data).toHaveLength(20);
    expect(await count("public.network_members as member where private.due_network_mail(member) is not null")).toBe(60);
  });

  it("counts apart from the acknowledgements of messages", async () => {
    const client = newCode();
    for (let n = 0; n < perClientAndDay; n += 1) await ask(backend, { clientCodes: { client } });
    expect(await count("private.email_outbox where kind = 'acknowledgement'")).toBe(perClientAndDay);
    expect(await count("private.email_outbox where kind = 'network'")).toBe(perClientAndDay);
    const { email } = await ask(backend, { clientCodes: { client } });
    expect(await readNetworkMails(backend, email)).toEqual([]);
  });

  it("sends one mail for an ask that is posted twice, and another after ten minutes", async () => {
    const email = newAddress();
    const fingerprint = "f".repeat(64);
    const asks = await Promise.all(Array.from({ length: 5 }, () => ask(backend, { email, fingerprint })));
    expect(new Set(asks.map(({ submissionId }) => submissionId)).size).toBe(1);
    expect(await readNetworkMails(backend, email)).toHaveLength(1);
    expect(await readMemberActions(backend, email)).toEqual(["member asked"]);
    // The message is a repeat for a day, the wish is not.
    await ageLinks(backend, email);
    const later = await ask(backend, { email, fingerprint });
    expect(later.submissionId).toBe(asks[0]!.submissionId);
    expect(await readNetworkMails(backend, email)).toHaveLength(2);
    expect(await byToken(backend, "find_membership", later.token)).toMatchObject({ state: "asked" });
    // Another wish is another mail.
    await ask(backend, { email, fingerprint, membership: { kind: "fund" } });
    expect(await readNetworkMails(backend, email)).toHaveLength(3);
    expect(await readMemberActions(backend, email)).toEqual([
      "member asked",
      "member asked-again",
      "member asked-again",
    ]);
  });

  it("sends the mail that was held back with the first ask when the second is not", async () => {
    const email = newAddress();
    await ask(backend, { email, quarantineReason: "honeypot" });
    expect(await readNetworkMails(backend, email)).toEqual([]);
    const { token } = await ask(backend, { email });
    expect(await readNetworkMails(backend, email)).toHaveLength(1);
    expect(await byToken(backend, "confirm_membership", token)).toMatchObject({ state: "confirmed" });
  });

  it("mails a lost link to members only, at most every ten minutes, and within the limits", async () => {
    const { email, token } = await join(backend);
    expect(await askLink(email)).toBe(false);
    await ageLinks(backend, email);
    expect(await askLink(` ${email.toUpperCase()} `)).toBe(true);
    expect(await byToken(backend, "find_membership", token)).toBeNull();
    expect(await byToken(backend, "find_membership", await tokenOf(backend, email))).toMatchObject({ email });
    // Three questions about one mailbox a day, also those that sent nothing.
    await ageLinks(backend, email);
    expect(await askLink(email)).toBe(false);
    const other = await join(backend);
    await ageLinks(backend, other.email);
    expect(await askLink(other.email, { perHour: 1 })).toBe(false);
    expect(await askLink(other.email)).toBe(true);
  });

  it("mails the link that a letter's holder asks for to the member alone", async () => {
    const { email } = await join(backend);
    await ageLinks(backend, email);
    const letter = await tokenOf(backend, email, "letter");
    const askByLetter = async (token: string) =>
      (await backend.service.rpc("ask_link_by_letter", { token, mail: linkMail }).throwOnError()).data;
    expect(await askByLetter("A".repeat(64))).toBe(false);
    expect(await askByLetter(letter)).toBe(true);
    expect((await readNetworkMails(backend, email)).map(({ body }) => body)).toEqual([linkMail.body, linkMail.body]);
    await ageLinks(backend, email);
    expect(await askByLetter(await tokenOf(backend, email))).toBe(false);
  });

  it.each(["unknown", "unconfirmed", "member", "stopped", "restricted", "left"])(
    "costs the client and the site the same for a question about an address that is %s",
    async (kind) => {
      const email = newAddress();
      if (kind !== "unknown") {
        const { token } = kind === "unconfirmed" ? await ask(backend, { email }) : await join(backend, { email });
        if (kind === "left") await byToken(backend, "leave_network", token);
        const column = { stopped: "unsubscribed_at", restricted: "frozen_at" }[kind];
        if (column) await backend.exec(`update public.network_members set ${column} = now()`);
        await ageLinks(backend, email);
      }
      await backend.exec("delete from private.rate_limits");
      const client = newCode();
      const questions = [
        () => askLink(email, { client }),
        () => ask(backend, { email, clientCodes: { client } }),
        () => ask(backend, { email, clientCodes: { client }, membership: { kind: "fund" } }),
        // The mailbox has had its three.
        () => askLink(email, { client }),
      ];
      const costs: unknown[] = [];
      for (const question of questions) {
        await question();
        costs.push(
          ...(await backend.sql(
            `select (select hits from private.rate_limits where key = private.acknowledgement_code($1, 'network')) as client,
               (select hits from private.rate_limits where key = 'all:network') as site`,
            [client],
          )),
        );
      }
      expect(costs).toEqual([
        { client: 1, site: 1 },
        { client: 2, site: 2 },
        { client: 3, site: 3 },
        { client: 4, site: 3 },
      ]);
    },
  );

  it("lets a member who stopped all mail, left, or is out of reach come back, with one mail in 30 days", async () => {
    for (const away of ["unsubscribed_at = now()", "paused_at = now()", "left"]) {
      const email = newAddress();
      const { token } = await join(backend, { email });
      if (away === "left") await byToken(backend, "leave_network", token);
      else await backend.exec(`update public.network_members set ${away} where email = '${email}'`);
      const before = (await readNetworkMails(backend, email)).length;
      for (const kind of ["fund", "lender", "angel"]) {
        await backend.exec("delete from private.rate_limits where resets_at < now() + interval '2 days'");
        await ageLinks(backend, email);
        await ask(backend, { email, membership: { kind } });
        await ageLinks(backend, email);
        await askLink(email);
      }
      expect([away, (await readNetworkMails(backend, email)).length - before]).toEqual([away, 1]);
      expect(await byToken(backend, "confirm_membership", await tokenOf(backend, email))).toMatchObject({
        unsubscribed_at: null,
        paused_at: null,
      });
    }
  });

  it("deletes an unconfirmed person seven days after the first ask, however often strangers ask again", async () => {
    const { email } = await ask(backend);
    await settleWaiting(backend, email);
    await ageMember(backend, email, "asked_at", "6 days");
    await ageLinks(backend, email, "6 days");
    await ask(backend, { email, membership: { kind: "fund" } });
    await ageMember(backend, email, "asked_at", "1 day 1 minute");
    expect(await settleWaiting(backend, email)).toBe(1);
    await backend.service.rpc("keep_retention", { source: "test" }).throwOnError();
    expect(await findMember(backend, email)).toBeUndefined();
  });

  it("forgets a member's later wish after seven days", async () => {
    const { email } = await join(backend);
    await ask(backend, { email, membership: { kind: "fund" } });
    await settleWaiting(backend, email);
    await ageMember(backend, email, "pending_at", "6 days 23 hours");
    const keep = async () =>
      (await backend.service.rpc("keep_retention", { source: "test" }).throwOnError()).data.wishes;
    expect(await keep()).toBe(0);
    await ageMember(backend, email, "pending_at", "2 hours");
    expect(await keep()).toBe(1);
    expect(await findMember(backend, email)).toMatchObject({ pending: null, kind: "angel" });
  });
});
