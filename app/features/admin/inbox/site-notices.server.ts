import { countOf } from "~/lib/count-of";
import { type Trouble, troubles } from "#supabase/functions/_shared/trouble";
import { factPlaceholders } from "~/content/placeholders";
import { commandLine } from "~/lib/command-line";
import { instantFormat } from "~/lib/dates";
import { readBackupHealth } from "~/server/backend/backup-health.server";
import { readSiteDisk } from "~/server/backend/disk-space.server";
import { listMissingFacts } from "~/server/config/missing-facts.server";
import type { SiteContext } from "~/server/site-context.server";
import type { NoticeProps } from "~/ui/frame/notice";

/** A notice about the site. */
export interface SiteNotice extends NoticeProps {
  /** listed below the text */
  items?: string[];
  /** listed there as well */
  links?: NonNullable<NoticeProps["link"]>[];
}

/** State of mail, retention and the site, as the inbox reads it. */
export interface InboxHealth {
  /** mails that have been waiting for too long */
  lateMail: number;
  /** mails that were not delivered and still need an admin */
  undeliverableMail: number;
  /** retention has not run for two days, or never although it should have */
  isRetentionLate: boolean;
  /** the clock jumped, so retention deletes nothing for a day */
  doesRetentionWait: boolean;
  /** trouble with the site that lasts, and events of the last day */
  troubles: readonly Trouble[];
}

/**
 * Composes all notices about the site, in the order in which the inbox shows them.
 * @param health null while the inbox cannot be read
 * @returns `urgent` ones for the top of the page, and `setup` for its foot
 */
export async function composeSiteNotices(site: SiteContext, health: InboxHealth | null) {
  const { settings } = site;
  const formatInstant = instantFormat(settings.replyClock.timeZone);
  const disk = (await readSiteDisk(settings))?.state ?? "ok";
  const backups = await readBackupHealth(settings);
  const missing = listMissingFacts(settings).map(({ key }) => key);
  const warnings = [...site.setupWarnings.list(), ...(health?.doesRetentionWait ? [retentionWaits] : [])];
  const others = (health?.troubles ?? []).filter(({ cause }) => !troubles[cause].shownBy?.includes("admin"));
  const isHosted = settings.backend.kind !== "embedded";
  const urgent: (SiteNotice | null)[] = [
    disk === "ok" ? null : describeDisk(disk),
    backups && describeBackups(backups.troubles, backups.lastGoodAt && formatInstant(backups.lastGoodAt)),
    health?.isRetentionLate ? retentionLate : null,
    list("The website needs attention", others, ({ cause, since }) => {
      const { text, remedy } = troubles[cause];
      return `${formatInstant(since)}: ${text} ${remedy({ command: commandLine, isHosted })}`;
    }),
    health && describeMail(health),
  ];
  const setup: (SiteNotice | null)[] = [
    list("The pages do not show your changed words", site.words.listMistakes(), (mistake) => mistake),
    list("Articles have mistakes", site.insights.listMistakes(), (mistake) => mistake),
    missing.length === 0 ? null : describeMissingFacts(missing),
    list("Check the setup of this site", warnings, ({ text, see }) => `${text} See ${see}.`),
  ];
  return { urgent: urgent.filter((notice) => notice !== null), setup: setup.filter((notice) => notice !== null) };
}

/** Lists what needs attention; null if nothing does. */
function list<Item>(title: string, items: readonly Item[], describe: (item: Item) => string): SiteNotice | null {
  return items.length === 0 ? null : { tone: "info", title, text: "", items: items.map(describe) };
}

const doctor = () => `On the server, “${commandLine("doctor")}” says what to do.`;

const diskTexts = {
  low: "Its disk is nearly full.",
  full: "Its disk is full. Visitors may be unable to send messages.",
};

const describeDisk = (disk: keyof typeof diskTexts): SiteNotice => ({
  tone: "error",
  title: "The server needs attention",
  text: `${diskTexts[disk]} ${doctor()} docs/operations/monitoring.md explains “disk.low”.`,
});

/** @param when time of the last good backup in words; null if there is none */
function describeBackups(causes: readonly string[], when: string | null): SiteNotice | null {
  const texts: Partial<Record<string, string>> = {
    "backup-failed": `The last backup failed. ${when ? `The last good one is from ${when}.` : "There is no good backup yet."}`,
    "backup-late": when ? `The last good backup is from ${when}. None has been made since.` : "There is no backup yet.",
    "copy-failed": "The last backup could not be copied to its second location.",
  };
  const [text] = causes.flatMap((cause) => texts[cause] ?? []);
  return text === undefined
    ? null
    : {
        tone: "error",
        title: "Backups need attention",
        text: `${text} ${doctor()} docs/operations/backups.md explains it.`,
      };
}

const retentionLate: SiteNotice = {
  tone: "info",
  title: "Data is kept longer than the privacy policy says",
  text: "Retention limits were not applied in the last two days. docs/operations/monitoring.md explains “retention.late” to your site operator.",
};

/** Warning while the database does not trust its clock (`private.retention_waits`). */
const retentionWaits = {
  text: "The server’s clock went back, or jumped ahead by more than two weeks. For a day, nothing is deleted because of its age, so that you can correct a wrong clock.",
  see: "docs/operations/trouble.md, “A clock that jumps”",
};

function describeMail({ lateMail, undeliverableMail }: InboxHealth): SiteNotice | null {
  if (lateMail + undeliverableMail === 0) return null;
  const sentences = [
    undeliverableMail > 0 ? `${countOf(undeliverableMail, "email was", "emails were")} not delivered.` : null,
    lateMail > 0 ? `${countOf(lateMail, "email is", "emails are")} waiting for the mail server.` : null,
  ];
  return {
    tone: undeliverableMail > 0 ? "error" : "info",
    title: "Some emails did not arrive",
    text: sentences.filter((sentence) => sentence !== null).join(" "),
    link: { label: "See which, and why", path: "/admin/mail" },
  };
}

const describeMissingFacts = (keys: readonly string[]): SiteNotice => ({
  tone: "info",
  title: "The public site shows placeholders",
  text: `${keys.length === 1 ? "One fact about your firm is" : `${keys.length} facts about your firm are`} missing. docs/operations/settings.md explains how to add facts (“Your firm's facts”). Each link leads to a page that shows the gap.`,
  links: keys.map((key) => ({
    label: factPlaceholders.find((fact) => fact.key === key)?.what ?? key,
    path: pagesOfFacts[key] ?? (key.startsWith("founder.") ? "/about" : "/"),
  })),
});

/** Pages that show a fact, where it is neither the home page nor about the founder. */
const pagesOfFacts: Partial<Record<string, string>> = {
  email: "/contact",
  address: "/privacy-policy",
  jurisdiction: "/terms-of-service",
  arbitrationBody: "/terms-of-service",
};
