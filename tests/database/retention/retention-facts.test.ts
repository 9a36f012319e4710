import { expect, it } from "vitest";
import { networkPeriods, packageDays, retention } from "~/content/facts";
import { linkDays } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";

const months = (count: number) => ({ months: count, days: 0 });
const days = (count: number) => ({ months: 0, days: count });

eachBackend("retention periods", (backend) => {
  it("are those that the privacy policy states", async () => {
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
  });

  it("of links are the days that the mails state", () => {
    expect(linkDays).toEqual({ status: retention.statusLinkDays, answered: retention.answeredLinkDays });
  });

  it("of a data package are the days that the mail promises", async () => {
    const [column] = await backend.sql<{ days: string }>(
      `select column_default as days from information_schema.columns
       where table_name = 'data_packages' and column_name = 'available_until'`,
    );
    expect(column?.days).toContain(`'${packageDays} days'`);
  });
});
