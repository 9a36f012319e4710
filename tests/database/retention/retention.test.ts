import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { networkPeriods, retention } from "~/content/facts";
import { linkDays } from "#supabase/functions/_shared/secret-token.ts";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receiveConfirmed, receiveRequest, takeStep } from "../support/data-rights.ts";
import { newCode, receiveMessage } from "../support/examples.ts";
import { useNetwork } from "../support/network.ts";
import { ago, countRows, keepRetention, nothingDeleted, setRows } from "../support/retention.ts";

const months = (count: number) => ({ months: count, days: 0 });
const days = (count: number) => ({ months: 0, days: count });

/** Creates a row of a table, and returns its value in the column that finds it. */
interface Source {
  table: string;
  column: string;
  create: () => Promise<string>;
}

/** Decisions of a session, and whether retention keeps its record and how many of them. */
const sessions: [of: string, decisions: string, record: 0 | 1, history: number][] = [
  ["a consent after two years", "allowed 2 years 1 day ago", 0, 0],
  ["no younger consent", "allowed 1 year 11 months ago", 1, 1],
  ["of a renewed consent the old decision only", "allowed 2 years 1 day ago, allowed 1 day ago", 1, 1],
  ["a withdrawn consent after 30 days", "allowed 1 year ago, refused 31 days ago", 0, 0],
  ["no consent that was withdrawn less than 30 days ago", "allowed 1 year ago, refused 29 days ago", 1, 2],
  ["no refusal of less than two years", "refused 1 year ago", 1, 1],
  ["no consent after a refusal", "refused 1 year ago, allowed 31 days ago", 1, 2],
  ["a signal after 30 days", "signalled 31 days ago", 0, 0],
  ["no younger signal", "signalled 29 days ago", 1, 1],
  ["no refusal after a signal", "signalled 60 days ago, refused 40 days ago", 1, 2],
  ["a consent that a signal ended, after 30 days", "allowed 60 days ago, signalled 31 days ago", 0, 0],
];

eachBackend("retention", (backend) => {
  const admin = useAdmin(backend);
  const network = useNetwork(backend);

  const requests = "public.data_rights_requests";
  const createMessage = (submission = {}) => receiveMessage(backend, { submission });

  const message: Source = { table: "public.contact_submissions", column: "id", create: createMessage };
  const address: Source = {
    ...message,
    column: "ip_address is not null and id",
    create: () => createMessage({ ip_address: "203.0.113.9" }),
  };
  const mail: Source = { table: "private.email_outbox", column: "submission_id", create: createMessage };
  const receipt: Source = { table: "private.contact_receipts", column: "submission_id", create: createMessage };
  const clientCode: Source = {
    table: "private.rate_limits",
    column: "key",
    create: async () => {
      const client = newCode();
      await receiveMessage(backend, { clientCodes: { client } });
      return client;
    },
  };
  const closedRequest: Source = {
    table: requests,
    column: "id",
    create: async () => {
      const { id } = await receiveConfirmed(backend);
      await takeStep(admin.client, id, "complete").throwOnError();
      await setRows(backend, requests, id, `received_at = ${ago("4 years")}`);
      return id;
    },
  };
  const link: Source = {
    table: "private.data_rights_links",
    column: "purpose = 'confirm' and request_id",
    create: async () => (await receiveRequest(backend)).id,
  };
  const departure: Source = {
    table: "private.network_departures",
    column: "reference",
    create: async () => {
      const insert = "insert into private.network_departures (email_hash) values (repeat('0', 64)) returning reference";
      return (await backend.sql<{ reference: string }>(insert))[0]!.reference;
    },
  };
  it.each<[string, Source, string, string, string, Partial<typeof nothingDeleted>]>([
    ["a message after two years", message, "created_at", "2 years 1 second", "2 years -1 minute", { submissions: 1 }],
    ["a sender's IP address after 30 days", address, "created_at", "31 days", "29 days", { sender_addresses: 1 }],
    ["a mail 30 days after delivery", mail, "delivered_at", "30 days 1 second", "29 days 23 hours", { mails: 2 }],
    ["a mail 30 days after it was given up", mail, "gave_up_at", "31 days", "29 days", { mails: 2 }],
    ["the receipt of a message after a day", receipt, "received_at", "25 hours", "23 hours", { receipts: 1 }],
    ["the code of a client once its count expires", clientCode, "resets_at", "1 second", "-1 hour", {}],
    // The links of the request that stays ended earlier.
    ["a closed request", closedRequest, "closed_at", "3 years 1 second", "2 years 364 days", { requests: 1, links: 2 }],
    ["a link once it expires", link, "expires_at", "1 second", "-1 hour", { links: 1 }],
    ["a digest of a departure", departure, "left_at", "3 years 1 day", "2 years 364 days", { records: 1 }],
  ])("deletes %s", async (_, { table, column, create }, time, due, kept, counts) => {
    const [old, young] = [await create(), await create()];
    await setRows(backend, table, old, `${time} = ${ago(due)}`, column);
    await setRows(backend, table, young, `${time} = ${ago(kept)}`, column);
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, ...counts });
    expect(await countRows(backend, table, old, column)).toBe(0);
    expect(await countRows(backend, table, young, column)).toBeGreaterThan(0);
  });

  it("deletes logs of admins, erasures and its own runs after three years", async () => {
    await backend.exec(
      `insert into private.retention_runs values (${ago("3 years 1 day")}, 'server', '{}');
       insert into public.admin_events (at, actor, action) values (${ago("3 years 1 day")}, gen_random_uuid(), 'old'),
         (${ago("2 years")}, gen_random_uuid(), 'young');
       insert into private.erasure_tombstones (reference, email_hash, counts, erased_at, erased_by)
       values ('DR-OLD', repeat('a', 64), '{}', ${ago("3 years 1 day")}, gen_random_uuid());`,
    );
    expect(await keepRetention(backend)).toMatchObject({ records: 3 });
    const kept = await backend.sql("select action from public.admin_events where action in ('old', 'young')");
    expect(kept).toEqual([{ action: "young" }]);
  });

  it("deletes an unconfirmed request 30 days past due, if its requester was reminded", async () => {
    const isKept = [];
    const reminded = `last_reminder = 'unconfirmed', last_reminder_at = ${ago("40 days")}`;
    for (const assignments of [
      `due_on = private.today() - 31, ${reminded}`,
      `due_on = private.today() - 29, ${reminded}`,
      "due_on = private.today() - 31",
    ]) {
      const { id, email } = await receiveRequest(backend);
      await network.settle(email);
      await setRows(backend, requests, id, assignments);
      isKept.push(() => countRows(backend, requests, id));
    }
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, requests: 1 });
    expect(await Promise.all(isKept.map((count) => count()))).toEqual([0, 1, 1]);
  });

  it("keeps a mail that waits, an open request and the address of a restricted message, however old", async () => {
    const sent = await createMessage();
    await setRows(backend, mail.table, sent, `created_at = ${ago("1 year")}`, mail.column);
    const { id } = await receiveConfirmed(backend);
    await setRows(backend, requests, id, `received_at = ${ago("9 years")}, due_on = private.today() - 3000`);
    const restricted = await address.create();
    await setRows(backend, message.table, restricted, `created_at = ${ago("31 days")}, frozen_at = now()`);
    expect(await keepRetention(backend)).toEqual(nothingDeleted);
    expect(await countRows(backend, address.table, restricted, address.column)).toBe(1);
  });

  it.each(sessions)("deletes consents: %s", async (_, story, record, history) => {
    const session = randomBytes(16).toString("hex");
    const decisions = story.split(", ").map((decision) => {
      const [verb, ...time] = decision.replace(" ago", "").split(" ");
      return {
        allows: verb === "allowed",
        source: verb === "signalled" ? "signal" : "banner",
        at: ago(time.join(" ")),
      };
    });
    for (const { allows, source, at } of decisions)
      await backend.exec(
        `insert into private.consent_history
         values ('${session}', ${allows}, false, true, '1.0', repeat('a', 64), '${source}', ${at})`,
      );
    const { allows, at } = decisions.at(-1)!;
    await backend.exec(
      `insert into public.user_consents values ('${session}', ${allows}, false, true, null, '1.0', ${at})`,
    );
    expect(await keepRetention(backend)).toEqual({
      ...nothingDeleted,
      consents: 1 - record,
      consent_decisions: decisions.length - history,
    });
    expect(await countRows(backend, "public.user_consents", session, "session_id")).toBe(record);
    expect(await countRows(backend, "private.consent_history", session, "session_id")).toBe(history);
  });

  it("has the periods that the privacy policy and the mails state", async () => {
    const rows = await backend.sql<{ kind: string; months: number; days: number }>(
      `select kind, (extract(year from period) * 12 + extract(month from period))::integer as months,
         extract(day from period)::integer as days
       from private.retention_periods()`,
    );
    expect(Object.fromEntries(rows.map(({ kind, ...period }) => [kind, period]))).toEqual({
      contact_submissions: months(retention.contactSubmissionYears * 12),
      consents: months(retention.consentRecordYears * 12),
      withdrawn_consents: days(retention.withdrawnConsentDays),
      signal_records: days(retention.signalRecordDays),
      sender_addresses: days(retention.senderAddressDays),
      closed_requests: months(retention.closedRequestYears * 12),
      status_links: days(retention.statusLinkDays),
      unconfirmed_requests: days(retention.unconfirmedRequestDays),
      unconfirmed_members: days(networkPeriods.confirmDays),
      page_links: days(networkPeriods.pageLinkDays),
      away_mails: days(networkPeriods.awayMailDays),
      ended_link_keys: days(networkPeriods.endedKeyDays),
      answered_links: days(retention.answeredLinkDays),
      member_renewals: months(networkPeriods.renewalMonths),
      silent_members: days(networkPeriods.renewalDays),
      declined_members: months(networkPeriods.declinedMonths),
      unsubscribed_members: days(networkPeriods.stoppedDays),
      mails: days(retention.mailDays),
      account_events: days(retention.accountEventDays),
      receipts: days(1),
      day_counts: months(retention.dayCountMonths),
      records: months(retention.recordYears * 12),
    });
    expect(linkDays).toEqual({ status: retention.statusLinkDays, answered: retention.answeredLinkDays });
  });
});
