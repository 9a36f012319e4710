import { company } from "../company";
import { gdprArticles } from "../facts";

/** Kinds of data with a time limit: the rows of `private.retention_periods()`, and from when on each period counts. */
export const periodsCountFrom = {
  contact_submissions: "after the message came",
  consents: "after the last choice",
  withdrawn_consents: "after everything was withdrawn",
  signal_records: "after it was recorded, where only a signal chose",
  sender_addresses: "after the message came",
  closed_requests: "after the request was closed",
  status_links: "after the request was closed, at most",
  unconfirmed_requests: "after the answer was due, where it was never confirmed",
  mails: "after the email was delivered or given up",
  account_events: "after it happened",
  receipts: "after the message came",
  day_counts: "after the day that was counted",
  records: "after what it records",
} as const;

/** One of them. */
export type PeriodKind = keyof typeof periodsCountFrom;

/** Recipients of personal data, and the sites that have them (GDPR Article 30(1)(d)). */
export const recipients = {
  staff: { name: `${company.name}: the people who answer`, on: "every site" },
  host: { name: "The provider of the computers", on: "every site" },
  supabase: { name: "Supabase", on: "a hosted project" },
  mail: { name: "Email providers", on: "a mail server" },
  storage: { name: "The provider of the storage for backups", on: "copies of backups" },
  google: { name: "Google", on: "analytics" },
  advisers: { name: "Professional advisors, authorities and courts", on: "every site" },
} as const;

/** Columns of the database that hold one category of data for one purpose. */
export interface KeptData {
  what: string;
  purpose: string;
  /** `schema.table` to its columns, with spaces between */
  columns: Readonly<Record<string, string>>;
  /** periods, or how else it ends */
  kept: readonly PeriodKind[] | string;
}

/** One processing activity, as GDPR Article 30(1) asks for it. */
export interface ProcessingActivity {
  name: string;
  people: string;
  legalBasis: string;
  recipients: readonly (keyof typeof recipients)[];
  data: readonly KeptData[];
  /** where else than in the database the data is */
  elsewhere: string;
  /** left out of the record where the site does not do it */
  only?: "analytics";
}

/** A place of the law, in words. */
export const article = (name: keyof typeof gdprArticles) => `Article ${gdprArticles[name]} GDPR`;
