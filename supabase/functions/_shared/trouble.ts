/** States of the site that its processes report again and again while they last. */
export const reportedStates = [
  "backup-failed",
  "backup-late",
  "copy-failed",
  "copy-late",
  "backup-unverified",
  "disk-low",
  "limits-refused",
  "database-behind",
] as const;

/** Events that the site's processes report once. */
export const reportedEvents = ["thread-ended", "process-ended", "process-stuck", "firm-address-refused"] as const;

/** One of {@link reportedStates}. */
export type ReportedState = (typeof reportedStates)[number];

/** One of {@link reportedEvents}. */
export type ReportedEvent = (typeof reportedEvents)[number];

/** Cause of trouble with the site. The database finds the last three by itself (migration "trouble"). */
export type TroubleCause = ReportedState | ReportedEvent | "retention-waits" | "retention-late" | "mail-waits";

/** A present trouble; `since` is ISO 8601, for an event its time. */
export interface Trouble {
  cause: TroubleCause;
  since: string;
}

/** Words about a cause: the subject of a mail, what happened, and what to do. */
interface TroubleWords {
  title: string;
  text: string;
  remedy: string;
}

/** Words about each cause, for mails to the firm and for `/admin`. */
export const troubleWords: Readonly<Record<TroubleCause, TroubleWords>> = {
  "backup-failed": {
    title: "the backup failed",
    text: "The last backup of the website failed.",
    remedy: "Contact your site operator. The log says why (“backups.failed”).",
  },
  "backup-late": {
    title: "the backup is late",
    text: "The newest backup of the website is older than twice the set time, or there is none.",
    remedy: "Contact your site operator, who can run “node bin/site.mjs backup”.",
  },
  "copy-failed": {
    title: "the copy of the backup failed",
    text: "The last backup was not copied to its second location.",
    remedy: "Contact your site operator. The log has the storage’s error code (“backups.copy-failed”).",
  },
  "copy-late": {
    title: "the copy of the backup is late",
    text: "The newest backup at the second location is older than twice the set time.",
    remedy: "Contact your site operator. The log may say why (“backups.copy-failed”).",
  },
  "backup-unverified": {
    title: "no backup was verified for 90 days",
    text: "No backup of the last 90 days was verified with the key that you keep.",
    remedy: "Ask your site operator to run “node bin/site.mjs verify-backup” on the server, with the newest copy.",
  },
  "disk-low": {
    title: "the disk is nearly full",
    text: "A disk of the server is full or nearly full. Visitors may be unable to send messages, or backups may fail.",
    remedy: "Contact your site operator, who can free some space.",
  },
  "limits-refused": {
    title: "many visits were refused",
    text: "More than 50 visits within ten minutes were refused because of a limit.",
    remedy:
      "If visitors complain, contact your site operator: with a wrong TRUSTED_PROXIES, all visitors count as one. Otherwise one visitor asks too often, and you need not do anything.",
  },
  "database-behind": {
    title: "the database lacks an update",
    text: "The database lacks a change that this version of the website needs.",
    remedy: "Contact your site operator, who can run the missing migrations (docs/operations/upgrade.md).",
  },
  "thread-ended": {
    title: "the database was restarted",
    text: "The website’s database stopped by itself and was restarted. It runs again.",
    remedy: "Nothing, unless it happens again. Then contact your site operator (“embedded.thread-died” in the log).",
  },
  "process-ended": {
    title: "the website was restarted",
    text: "The website’s program ended without being stopped, and was started again. It runs again.",
    remedy: "Nothing, unless it happens again. Then contact your site operator (“process.crashed” in the log).",
  },
  "process-stuck": {
    title: "the website hung",
    text: "The website’s program hung for a minute, so it was ended. It starts again by itself.",
    remedy:
      "Check that the website responds. If it does not, or if this happens again, contact your site operator (“event-loop.stuck” in the log names the page).",
  },
  "firm-address-refused": {
    title: "an address of the firm gets no email",
    text: "The mail server refused one of the firm’s own addresses. The others got the email.",
    remedy: "Ask your site operator to correct CONTACT_TO. “node bin/site.mjs doctor” says which it is.",
  },
  "retention-waits": {
    title: "the server’s clock jumped",
    text: "The server’s clock went back, or jumped ahead by more than two weeks. For a day, nothing is deleted because of its age.",
    remedy: "Ask your site operator to correct the clock if it is wrong. If the website was off, do nothing.",
  },
  "retention-late": {
    title: "data is kept too long",
    text: "For two days, the website has not deleted the data that its privacy policy says it deletes.",
    remedy: "Contact your site operator. The log may say why (“retention.failed”).",
  },
  "mail-waits": {
    title: "emails waited for the mail server",
    text: "Emails waited for the mail server for more than an hour.",
    remedy:
      "Look at the list of emails in the admin area (/admin/mail). If any still wait, contact your site operator.",
  },
};
