import { expect, it } from "vitest";
import { networkPeriods, packageDays, retention } from "~/content/facts";
import { linkDays } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";

eachBackend("retention periods", (backend) => {
  it("returns the periods that the privacy policy states", async () => {
    const rows = await backend.sql<{ kind: string; months: number; days: number }>(
      `select kind, (extract(year from period) * 12 + extract(month from period))::integer as months,
         extract(day from period)::integer as days
       from private.retention_periods()`,
    );
    const periods = Object.fromEntries(rows.map(({ kind, months, days }) => [kind, { months, days }]));
    expect(periods).toEqual({
      contact_submissions: { months: retention.contactSubmissionYears * 12, days: 0 },
      consents: { months: retention.consentRecordYears * 12, days: 0 },
      withdrawn_consents: { months: 0, days: retention.withdrawnConsentDays },
      signal_records: { months: 0, days: retention.signalRecordDays },
      sender_addresses: { months: 0, days: retention.senderAddressDays },
      closed_requests: { months: retention.closedRequestYears * 12, days: 0 },
      status_links: { months: 0, days: retention.statusLinkDays },
      unconfirmed_requests: { months: 0, days: retention.unconfirmedRequestDays },
      unconfirmed_members: { months: 0, days: networkPeriods.confirmDays },
      page_links: { months: 0, days: networkPeriods.pageLinkDays },
      away_mails: { months: 0, days: networkPeriods.awayMailDays },
      ended_link_keys: { months: 0, days: networkPeriods.endedKeyDays },
      answered_links: { months: 0, days: retention.answeredLinkDays },
      member_renewals: { months: networkPeriods.renewalMonths, days: 0 },
      silent_members: { months: 0, days: networkPeriods.renewalDays },
      declined_members: { months: networkPeriods.declinedMonths, days: 0 },
      unsubscribed_members: { months: 0, days: networkPeriods.stoppedDays },
      mails: { months: 0, days: retention.mailDays },
      account_events: { months: 0, days: retention.accountEventDays },
      receipts: { months: 0, days: 1 },
      day_counts: { months: retention.dayCountMonths, days: 0 },
      records: { months: retention.recordYears * 12, days: 0 },
    });
  });

  it("keeps links for the days that the mails state", () => {
    expect(linkDays).toEqual({ status: retention.statusLinkDays, answered: retention.answeredLinkDays });
  });

  it("keeps a data package for the days that the mail promises", async () => {
    const [column] = await backend.sql<{ days: string }>(
      `select column_default as days from information_schema.columns
       where table_name = 'data_packages' and column_name = 'available_until'`,
    );
    expect(column?.days).toContain(`'${packageDays} days'`);
  });
});
