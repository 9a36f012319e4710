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
  callAsk,
  findMember,
  join,
  linkMail,
  readMemberActions,
  readNetworkMails,
  settleWaiting,
  tokenOf,
} from "../support/network.ts";

const { perMailboxAndDay, perClientAndDay, perHour, waiting, waitingPerNetwork } = acknowledgementLimits;

eachBackend("limits on asking to join the network", (backend) => {
  beforeEach(() =>
    backend.exec(`delete from private.email_outbox; delete from private.rate_limits; delete from private.contact_receipts;
       set private.erases_log = 'on'; delete from public.network_members; set private.erases_log = 'off'`),
  );

  async function count(table: string): Promise<number> {
    const [row] = await backend.sql<{ n: number }>(`select count(*)::int as n from ${table}`);
    return row!.n;
  }

  /** Asks for a lost link, and lets the mails in the line go. @returns whether the address got a mail by it */
  async function askLink(email: string, options: { client?: string; perHour?: number } = {}) {
    const before = await countLinks(email);
    const { client = newCode(), perHour: per_hour = 0 } = options;
    await backend.service
      .rpc("ask_network_link", { email, mail: linkMail, client_codes: { client }, per_hour })
      .throwOnError();
    await backend.service.rpc("release_waiting_mail", { per_hour }).throwOnError();
    return (await countLinks(email)) > before;
  }

  const countLinks = (email: string) =>
    count(`private.email_outbox where kind = 'network' and line is null and recipient = lower(btrim('${email}'))`);

  /** Receives many asks in one call, because as many requests take a minute. SQL expressions may name the number, n. */
  const askOften = (times: number, email: string, client: string, limit: number) =>
    backend.exec(
      `do $$ begin for n in 1..${times} loop begin
         perform public.receive_contact_submission(
           jsonb_build_object('name', 'Ada', 'company', 'Engines', 'stage', 'Growth', 'goal', 'Join', 'message', 'Hello',
             'email', ${email}),
           private.digest('fingerprint ' || n), null, '[]', jsonb_build_object('client', ${client}), ${limit},
           jsonb_build_object('place', 'Place ' || n, 'consent_text_hash', repeat('c', 64), 'consent_policy_version', '1.0',
             'mail', '${JSON.stringify(linkMail)}'::jsonb)
         );
       exception when sqlstate 'PT429' then null; end; end loop; end $$`,
    );
  const newClient = "translate(rtrim(encode(sha256(n::text::bytea), 'base64'), '='), '+/', '-_')";

  it("stores one member and few mails and log entries for 100 asks with one address", async () => {
    await askOften(100, "'ada@example.com'", newClient, 0);
    expect(await count("public.network_members")).toBe(1);
    expect(await readNetworkMails(backend, "ada@example.com")).toHaveLength(perMailboxAndDay);
    expect(await readMemberActions(backend, "ada@example.com")).toHaveLength(perMailboxAndDay);
    expect(await findMember(backend, "ada@example.com")).toMatchObject({
      place: "Place 1",
      pending: { place: "Place 100" },
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

  it.each([
    ["one network", "repeat('a', 43)", perHour + waitingPerNetwork],
    ["400 networks", newClient, perHour + waiting],
  ])("stores only members whose mail goes or waits, for 400 asks from %s", async (_, client, stored) => {
    const submissions = "public.contact_submissions where email like 'person%'";
    const before = await count(submissions);
    await askOften(400, "'person' || n || '@example.com'", client, perHour);
    expect(await count("public.network_members")).toBe(stored);
    expect((await count(submissions)) - before).toBe(stored);
    expect(await count("private.email_outbox where kind = 'network' and line is null")).toBe(perHour);
    // Another network's first mail is next, if the line has room for it.
    const { data, error } = await callAsk(backend.service, { perHour });
    expect(data ?? error).toMatchObject(stored === perHour + waiting ? { code: "PT429" } : { hours: 1 });
    // Reminders go to twenty in an hour, even while others wait.
    await backend.exec("update private.email_outbox set delivered_at = created_at where line is null");
    await backend.exec("update public.network_members set asked_at = asked_at - interval '4 days'");
    expect((await backend.service.rpc("list_due_network_mails").throwOnError()).data).toHaveLength(20);
  });

  it("confirms eight people who join from one address", async () => {
    const clientCodes = { client: newCode() };
    for (let n = 0; n < 8; n += 1) {
      const { email } = await ask(backend, { clientCodes, perHour: null });
      expect(await countLinks(email)).toBe(1);
    }
    expect(await count("private.email_outbox where kind = 'acknowledgement'")).toBe(perClientAndDay);
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
    // Above the hourly limit the link waits, and the earlier one works until then.
    const other = await join(backend);
    await ageLinks(backend, other.email);
    expect(await askLink(other.email, { perHour: 1 })).toBe(false);
    expect(await byToken(backend, "find_membership", other.token)).toMatchObject({ email: other.email });
    await backend.service.rpc("release_waiting_mail", { per_hour: 0 }).throwOnError();
    expect(await countLinks(other.email)).toBe(2);
    expect(await byToken(backend, "find_membership", other.token)).toBeNull();
  });

  it("mails the link that a letter's holder asks for to the member alone", async () => {
    const { email } = await join(backend);
    await ageLinks(backend, email);
    const letter = await tokenOf(backend, email, "letter");
    const askByLetter = async (token: string) => {
      const asked = await backend.service.rpc("ask_network_link", { token, mail: linkMail }).throwOnError();
      await backend.service.rpc("release_waiting_mail").throwOnError();
      return [asked.data, await countLinks(email)];
    };
    expect(await askByLetter("A".repeat(64))).toEqual([[{ hours: 0, withheld_by: null }], 1]);
    expect(await askByLetter(letter)).toEqual([[{ hours: 0, withheld_by: null }], 2]);
    await ageLinks(backend, email);
    expect(await askByLetter(await tokenOf(backend, email))).toEqual([[{ hours: 0, withheld_by: null }], 2]);
  });

  it.each(["unknown", "unconfirmed", "member", "stopped", "restricted", "left"])(
    "shows and takes the same places in the line for an address that is %s",
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
      await backend.exec("delete from private.email_outbox where line is not null");
      const client_codes = { client: newCode() };
      const link = async () => {
        const parameters = { email, mail: linkMail, client_codes, per_hour: 2 };
        return (await backend.service.rpc("ask_network_link", parameters).single<{ hours: number }>()).data?.hours;
      };
      const wish = async (investor: string) =>
        (
          await callAsk(backend.service, {
            email,
            clientCodes: client_codes,
            perHour: 2,
            membership: { kind: investor },
          })
        ).data;
      const seen: unknown[] = [];
      // The mailbox has had its three before the last two.
      for (const question of [link, () => wish("angel"), () => wish("fund"), link, () => wish("lender")]) {
        const answer = await question();
        seen.push([
          typeof answer === "object" ? (answer as { hours?: number } | null)?.hours : answer,
          await count("private.email_outbox where line is not null"),
          await backend.sql("select hits from private.rate_limits where key = 'all:network'"),
        ]);
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
      await backend.service.rpc("release_waiting_mail", { per_hour: 0 }).throwOnError();
      expect(await count("private.email_outbox where line is not null or recipient = '-'")).toBe(0);
      expect(await backend.sql("select hits from private.rate_limits where key = 'all:network'")).toEqual([
        { hits: 5 },
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
