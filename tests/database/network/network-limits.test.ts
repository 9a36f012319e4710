import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { acknowledgementLimits } from "~/content/facts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { backends, runStatements } from "../support/backends.ts";
import { newAddress } from "../support/data-rights.ts";
import { newCode } from "../support/examples.ts";
import {
  ageLinks,
  ask,
  byToken,
  countDepartures,
  findMember,
  join,
  linkMail,
  readMemberActions,
  readNetworkMails,
} from "../support/network.ts";
import type { TestBackend } from "../support/test-backend.ts";

const { perMailboxAndDay, perClientAndDay } = acknowledgementLimits;

describe.each(backends)("limits on asking to join the network on $name", ({ start }) => {
  let backend: TestBackend;

  beforeAll(async () => {
    backend = await start();
  });
  afterAll(() => backend?.close());
  beforeEach(() =>
    runStatements(
      backend,
      `delete from private.email_outbox; delete from private.rate_limits;
       set private.erases_log = 'on'; delete from public.network_members; set private.erases_log = 'off'`,
    ),
  );

  async function count(table: string): Promise<number> {
    const [row] = await backend.sql<{ n: number }>(`select count(*)::int as n from ${table}`);
    return row!.n;
  }

  async function askLink(email: string, options: { client?: string; perHour?: number } = {}) {
    const token = newSecretToken();
    const { data } = await backend.service
      .rpc("ask_network_link", {
        email,
        token_hash: await digestOfToken(token),
        mail: linkMail,
        client_codes: { client: options.client ?? newCode() },
        per_hour: options.perHour ?? 0,
      })
      .throwOnError();
    return { sent: data as boolean, token };
  }

  /** Receives 1,000 asks in one call, because as many requests take a minute. SQL expressions may name the number, n. */
  const askThousandTimes = (email: string, client: string) =>
    backend.sql(
      `select public.receive_contact_submission(
         jsonb_build_object('name', 'Ada', 'company', 'Engines', 'stage', 'Growth', 'goal', 'Join', 'message', 'Hello',
           'email', ${email}),
         private.digest('fingerprint ' || n), null, '[]', jsonb_build_object('client', ${client}), 60,
         jsonb_build_object('place', 'Place ' || n, 'consent_text_hash', $1::text, 'consent_policy_version', '1.0',
           'token_hash', private.digest('token ' || n), 'mail', $2::jsonb)
       ) as ok from generate_series(1, 1000) as n`,
      ["c".repeat(64), JSON.stringify(linkMail)],
    );
  const newClient = "translate(rtrim(encode(sha256(n::text::bytea), 'base64'), '='), '+/', '-_')";

  it("stores one member and few mails and log entries for 1,000 asks with one address", async () => {
    await askThousandTimes("'ada@example.com'", newClient);
    expect(await count("public.network_members")).toBe(1);
    expect(await readNetworkMails(backend, "ada@example.com")).toHaveLength(perMailboxAndDay);
    expect(await count("private.network_links")).toBe(perMailboxAndDay);
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
    expect(await count("private.network_links")).toBe(60);
    // The reminder goes only to those who got the first mail, and to twenty in an hour.
    await runStatements(backend, "update public.network_members set asked_at = asked_at - interval '4 days'");
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
    expect(await count("private.network_links")).toBe(0);
    const { token } = await ask(backend, { email });
    expect(await readNetworkMails(backend, email)).toHaveLength(1);
    expect(await byToken(backend, "confirm_membership", token)).toMatchObject({ state: "confirmed" });
  });

  it("mails a lost link to members only, at most every ten minutes, and within the limits", async () => {
    const { email } = await join(backend);
    await ageLinks(backend, email);
    const lost = await askLink(` ${email.toUpperCase()} `);
    expect(lost.sent).toBe(true);
    expect(await byToken(backend, "find_membership", lost.token)).toMatchObject({ state: "confirmed", email });
    expect((await askLink(email)).sent).toBe(false);
    for (const sent of [true, false]) {
      await ageLinks(backend, email);
      expect((await askLink(email)).sent).toBe(sent);
    }
    const other = await join(backend);
    await ageLinks(backend, other.email);
    expect((await askLink(other.email, { perHour: 1 })).sent).toBe(false);
    expect((await askLink(other.email)).sent).toBe(true);
  });

  it("does the same work for unknown and unconfirmed addresses, and leaves nothing of it", async () => {
    const unconfirmed = await ask(backend);
    await ageLinks(backend, unconfirmed.email);
    await byToken(backend, "leave_network", (await join(backend, { email: "left@example.com" })).token);
    const before = await count("private.email_outbox");
    const client = newCode();
    for (const email of [newAddress(), unconfirmed.email, "left@example.com", "no address"]) {
      expect(await askLink(email, { client })).toMatchObject({ sent: false });
    }
    expect(await count("private.email_outbox")).toBe(before);
    // They count against the limit of the client as known ones do.
    const { email } = await join(backend);
    await ageLinks(backend, email);
    expect((await askLink(newAddress(), { client })).sent).toBe(false);
    expect((await askLink(email, { client })).sent).toBe(false);
    expect(await countDepartures(backend, "left@example.com")).toBe(1);
  });
});
