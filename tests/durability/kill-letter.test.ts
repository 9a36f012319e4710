import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withDatabase } from "#supabase/embedded/operations/read-database.ts";
import { withDatabaseOf } from "../support/find-text";
import { headerOf, type MailServer, startMailServer } from "../functions/support/mail-server";
import { type Product, startProduct } from "../support/product";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";

const members = 20;
/** Mails that a worker sends in parallel; only these can be under way at a kill. */
const parallel = 5;
const kills = 2;

/** Two letters that an admin has sent, one after the other, to all members. None is mailed yet. */
const sentLetters = `
  insert into public.network_members
    (email, name, company, state, confirmed_at, renewed_at, consent_text_hash, consent_policy_version)
  select 'member-' || n || '@fund' || n % 4 || '.example', 'Grace ' || n, 'Fund', 'confirmed', now(), now(), repeat('c', 64), '1.0'
  from generate_series(1, ${members}) as n;
  insert into public.network_letters (id, subject, body, to_states, saved_by, sent_at, sent_by, to_count, footer)
  select gen_random_uuid(), 'Letter ' || n, 'Dear {name}, a clinic raises money.', '{confirmed}', account.id,
    now() + n * interval '1 second', account.id, ${members}, '{"firm": "F", "address": "A", "site": "S"}'
  from generate_series(1, 2) as n, auth.users as account;
  insert into private.letter_recipients (letter_id, member_id)
  select letter.id, member.id from public.network_letters as letter, public.network_members as member;`;

/** Mails to a member that a later run would send. */
const mailsToCome = `
  select 'mail' from private.email_outbox where recipient = $1 and delivered_at is null and gave_up_at is null
  union all
  select 'letter' from private.letter_recipients as waiting
  join public.network_members as member on member.id = waiting.member_id
  where member.email = $1 and waiting.queued_at is null`;

describe("kill -9 while letters are sent", () => {
  let dataDir: string;
  let facts: string;
  let mailServer: MailServer;
  let product: Product;

  const start = (perHour: number) => {
    const mail = { SMTP_URL: mailServer.url, MAIL_FROM: "site@firm.test", CONTACT_TO: "inbox@firm.test" };
    return startProduct({ ...mail, SITE_FACTS: facts, NETWORK_MAILS_PER_HOUR: String(perHour) }, { dataDir });
  };
  const letters = () =>
    mailServer.received
      .filter(({ recipients }) => recipients[0]?.startsWith("member-"))
      .map(({ recipients, content }) => ({
        copy: `${content.subject} to ${recipients[0]}`,
        id: headerOf(content, "message-id") ?? "",
        sender: content.from?.name,
        stop: new URL(/<(.+)>/.exec(headerOf(content, "list-unsubscribe") ?? "")?.[1] ?? "broken:"),
        recipient: recipients[0]!,
      }));
  const copies = () => new Set(letters().map(({ copy }) => copy));

  beforeAll(async () => {
    [dataDir, facts, mailServer] = await Promise.all([makeSiteFolder(), makeDataDir(), startMailServer()]);
    facts = join(facts, "facts.yaml");
    await writeFile(facts, 'address: "1 Main Street, Salem, Oregon"\n');
    await withDatabase(join(dataDir, "pg"), (database) => database.exec(sentLetters));
    // Room for the first letter only, so that the member below stops before the second.
    product = await start(members);
  });
  afterAll(async () => {
    await product?.stop();
    await mailServer?.close();
  });

  it("mails each member each letter once, and repeats only mails under way, with the same Message-ID", async () => {
    const reach = async (count: number) =>
      await expect.poll(() => copies().size, { timeout: 60_000, interval: 1 }).toBeGreaterThanOrEqual(count);
    await reach(3);
    // A mail program's one click: no cookie, no Origin, no page.
    const { stop, recipient: stopped } = letters()[0]!;
    const init = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
    const response = await fetch(`${product.url}${stop.pathname}${stop.search}`, init);
    expect(`${response.status} ${await response.text()}`).toMatch(/^200 You get no more email/);
    let output = "";
    for (let kill = 1; kill <= kills; kill += 1) {
      await reach((kill * 2 * members) / (kills + 1) - parallel);
      await product.kill();
      output += product.output();
      product = await start(1000);
    }
    await reach(2 * members - 1);
    expect(await product.stop()).toBe(0);
    expect(await withDatabaseOf(dataDir, (sql) => sql(mailsToCome, [stopped]))).toEqual([]);
    expect([...copies()].filter((copy) => copy.endsWith(` ${stopped}`))).toEqual([`Letter 1 to ${stopped}`]);
    expect(copies().size).toBe(2 * members - 1);
    // The firm's name when the letter was sent, which is not the site's.
    expect(new Set(letters().map(({ sender }) => sender))).toEqual(new Set(["F"]));
    const ids = letters().map(({ id }) => id);
    expect(ids).not.toContain("");
    // Each copy has one Message-ID, although some arrived twice.
    expect(new Set(ids).size).toBe(2 * members - 1);
    expect(ids.length - new Set(ids).size).toBeLessThanOrEqual(kills * parallel);
    expect(output + product.output()).not.toMatch(/fund\d\.example|Grace|clinic|token=/);
  });
});
