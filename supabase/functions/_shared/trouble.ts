/** Words about one cause of trouble with the site, and where something more exact is shown. */
interface TroubleEntry {
  /** readers that show its present state by themselves, and so do not list it: a notice of /admin, a check of `doctor` */
  shownBy?: readonly ("admin" | "doctor")[];
  /** subject of a mail */
  title: string;
  text: string;
  remedy(installation: Installation): string;
}

/** Where the site runs, for words about what to do. */
export interface Installation {
  /** returns a command as the operator types it */
  command(words: string): string;
  /** true if the database and the functions belong to a hosted project */
  isHosted: boolean;
}

/** The log of a process that can no longer speak for itself: the system keeps it. */
const systemLog = "the system’s log (“journalctl -u site” or “docker compose logs site”)";
const secrets = "in the project’s dashboard (Edge Functions, Secrets)";

/** States that the site's processes report again and again while they last. */
const states = {
  "backup-failed": {
    shownBy: ["admin", "doctor"],
    title: "the backup failed",
    text: "The last backup of the website failed.",
    remedy: ({ command }) => `On the server, run “${command("backup")}”. It says why it fails.`,
  },
  "backup-late": {
    shownBy: ["admin", "doctor"],
    title: "the backup is late",
    text: "The newest backup of the website is older than twice the set time, or there is none.",
    remedy: ({ command }) => `On the server, run “${command("backup")}”. If this comes again, restart the website.`,
  },
  "copy-failed": {
    shownBy: ["admin", "doctor"],
    title: "the copy of the backup failed",
    text: "The last backup was not copied to its second location.",
    remedy: ({ command }) =>
      `On the server, run “${command("doctor")}”. It asks the storage, and says what to correct.`,
  },
  "copy-late": {
    shownBy: ["doctor"],
    title: "the copy of the backup is late",
    text: "The newest backup at the second location is older than twice the set time.",
    remedy: ({ command }) =>
      `On the server, run “${command("backup")}”, which copies what is missing, or says why it fails.`,
  },
  "backup-unverified": {
    title: "no backup was verified for 90 days",
    text: "No backup of the last 90 days was verified with the key that you keep.",
    remedy: ({ command }) => `On the server, run “${command("verify-backup <newest backup or copy>")}”.`,
  },
  "disk-low": {
    shownBy: ["admin", "doctor"],
    title: "the disk is nearly full",
    text: "A disk of the server is full or nearly full. Visitors may be unable to send messages, or backups may fail.",
    remedy: () => "On the server, free some space: “df -h” shows the disks.",
  },
  "limits-refused": {
    title: "many visits were refused",
    text: "More than 50 visits within ten minutes were refused because of a limit.",
    remedy: ({ command }) =>
      `If visitors complain, run “${command("doctor --from-outside")}”: with a wrong TRUSTED_PROXIES, all visitors count as one. Otherwise one visitor asks too often, and you need not do anything.`,
  },
  "database-behind": {
    shownBy: ["doctor"],
    title: "the database lacks an update",
    text: "The database lacks a change that this version of the website needs.",
    remedy: () => "In a checkout of this version, run “supabase db push” (docs/operations/upgrade.md).",
  },
} satisfies Record<string, TroubleEntry>;

/** Events that the site's processes report once. */
const events = {
  "thread-ended": {
    title: "the database was restarted",
    text: "The website’s database stopped by itself and was restarted. It runs again.",
    remedy: () => `Nothing, unless it happens again. Then look at ${systemLog}.`,
  },
  "process-ended": {
    title: "the website was restarted",
    text: "The website’s program ended without being stopped, and was started again. It runs again.",
    remedy: () =>
      `Nothing, unless it happens again. Then look at ${systemLog}, and for a lack of memory at the kernel’s (“journalctl -k”).`,
  },
  "process-stuck": {
    title: "the website hung",
    text: "The website’s program hung for a minute, so it was ended. It starts again by itself.",
    remedy: () =>
      `Check that the website responds. If it does not, or if this happens again, look at ${systemLog}: “event-loop.stuck” names the page.`,
  },
  "firm-address-refused": {
    title: "an address of the firm gets no email",
    text: "The mail server refused one of the firm’s own addresses. The others got the email.",
    remedy: ({ command, isHosted }) =>
      isHosted
        ? `Correct CONTACT_TO ${secrets}.`
        : `Correct CONTACT_TO. “${command("doctor")}” on the server says which address it is.`,
  },
} satisfies Record<string, TroubleEntry>;

/** States that the database finds by itself (migration "trouble", which repeats all causes). */
const findings = {
  "retention-waits": {
    shownBy: ["admin"],
    title: "the server’s clock jumped",
    text: "The server’s clock went back, or jumped ahead by more than two weeks. For a day, nothing is deleted because of its age.",
    remedy: ({ isHosted }) =>
      isHosted
        ? "If the website was off, do nothing. Otherwise ask the support of the project’s provider."
        : "If the clock is wrong, set it: “timedatectl” shows it. If the website was off, do nothing.",
  },
  "retention-late": {
    shownBy: ["admin"],
    title: "data is kept too long",
    text: "For two days, the website has not deleted the data that its privacy policy says it deletes.",
    remedy: ({ isHosted }) =>
      isHosted
        ? "In the project’s dashboard (Integrations, Cron), look at the last runs of the retention job."
        : `Look for “retention.failed” in ${systemLog}.`,
  },
  "mail-waits": {
    shownBy: ["admin", "doctor"],
    title: "emails waited for the mail server",
    text: "Emails waited for the mail server for more than an hour.",
    remedy: ({ command, isHosted }) =>
      `The list of emails in the admin area (/admin/mail) shows what the mail server says. If any still wait, correct the mail settings${isHosted ? ` ${secrets}` : `: “${command("doctor")}” on the server checks them`}.`,
  },
} satisfies Record<string, TroubleEntry>;

/** State of the site that its processes report again and again while it lasts. */
export type ReportedState = keyof typeof states;

/** Event that the site's processes report once. */
export type ReportedEvent = keyof typeof events;

/** Cause of trouble with the site. */
export type TroubleCause = ReportedState | ReportedEvent | keyof typeof findings;

/** A present trouble; `since` is ISO 8601, for an event its time. */
export interface Trouble {
  cause: TroubleCause;
  since: string;
}

/** Everything about each cause, for the mails to the firm, the digest, `/admin` and `doctor`. */
export const troubles: Readonly<Record<TroubleCause, TroubleEntry>> = { ...states, ...events, ...findings };

/** All causes. */
export const troubleCauses = Object.keys(troubles) as TroubleCause[];

/** Causes that the site's processes report. */
export const reportedStates = Object.keys(states) as ReportedState[];
export const reportedEvents = Object.keys(events) as ReportedEvent[];
