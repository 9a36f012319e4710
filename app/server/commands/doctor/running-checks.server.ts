import { countOf } from "~/lib/count-of";
import { commandLine } from "~/lib/command-line";
import { troubles as entries } from "#supabase/functions/_shared/trouble";
import { deriveDigestKey, findSecrets, secretsName } from "#supabase/embedded/secrets";
import { instantFormat } from "~/lib/dates";
import type { ServerStatus } from "../../backend/embedded/read-status.server";
import { digestValues, listInEffect } from "../../config/settings-in-effect.server";
import type { Settings } from "../../config/settings.server";
import { type Finding, type Installation, fix, lookAt, notChecked, notYet, ok } from "./finding.server";
import { isSameVersion } from "./local-server.server";
import { findMailRemedy, quoteFailure } from "./mail-failure.server";

const hourSeconds = 60 * 60;

/** Checks what only the running server knows: its settings, mail that waits, and trouble. */
export async function checkRunningServer({ settings, running, server: local }: Installation): Promise<Finding[]> {
  const name = "running server";
  if (settings.backend.kind === "hosted") return [];
  const server = await running;
  if (server.state === "none") {
    const first = (await local).state === "silent" ? "Start it" : "Set DATA_DIR to that server's";
    const text = "Only the server on this data folder knows of waiting mail and of trouble.";
    return [notYet(name, text, first)];
  }
  if (server.state !== "up") return [notChecked(name, server.text, server.remedy)];
  const { status } = server;
  if (!isSameVersion(status.version)) {
    const unknown = notChecked("settings in effect", `It runs version ${status.version}.`, "Restart the server.");
    return [unknown, judgeWaiting(status, null, settings), ...describeTroubles(status, settings)];
  }
  const different = await findDifferent(settings, status);
  return [judgeSettings(different), judgeWaiting(status, different, settings), ...describeTroubles(status, settings)];
}

/** Finds the settings with which the server did not start. Returns null if the keys for the comparison are missing. */
async function findDifferent(settings: Settings, { settings: theirs }: ServerStatus): Promise<string[] | null> {
  const secrets = await findSecrets(settings.dataDir).catch(() => null);
  if (secrets === null) return null;
  const own = digestValues(listInEffect(settings), deriveDigestKey(secrets));
  const names = [...new Set([...Object.keys(own), ...Object.keys(theirs)])];
  const different = names.filter((name) => own[name] !== theirs[name]);
  // Other keys make every digest differ.
  return different.length === names.length ? null : different;
}

function judgeSettings(different: string[] | null): Finding {
  const name = "settings in effect";
  if (different === null) {
    const text = `${secretsName} is not the file with which the server started, so its settings cannot be compared.`;
    return notYet(name, text, "Put the file back");
  }
  if (different.length === 0) return ok(name, "The server was started with these settings and facts.");
  const names = different.map((each) => (each === "SITE_FACTS" ? "file of facts" : each));
  return fix(name, `The server was started with another ${inWords(names)}.`, "Restart the server.");
}

function judgeWaiting(
  { mail, letters }: ServerStatus,
  different: string[] | null,
  { mail: mailSettings }: Settings,
): Finding {
  const name = "waiting mail";
  const late = mail ?? letters;
  if (late === null) return ok(name, "No mail waits for the mail server.");
  const count = [mail && countOf(mail.count, "email"), letters && countOf(letters.count, "letter")];
  const [code = "", ...words] = (late.lastError ?? "").split(" ");
  const failure = { code, words: words.length > 0 ? words.join(" ") : undefined };
  const said = late.lastError === null ? "" : ` The last attempt failed (${quoteFailure(failure)}).`;
  const text = `The mail server has yet to take ${inWords(count.filter((each) => each !== null))}, the oldest for ${inTime(late.oldestSeconds)}.${said}`;
  const isForRestart = different?.some((each) => /^(?:SMTP|MAIL|RESEND|CONTACT)_/.test(each));
  const remedy = isForRestart
    ? "Restart the server: it has other mail settings."
    : (findMailRemedy(code, mailSettings) ?? "/admin/mail lists them; see docs/operations/mail.md.");
  if (mail !== null && mail.oldestSeconds > hourSeconds) return fix(name, text, remedy);
  return late.lastError === null ? ok(name, text) : lookAt(name, text, remedy);
}

/** Only an embedded backend has the socket that tells of trouble. */
const here = { command: (words: string) => commandLine(words), isHosted: false };

/** Describes trouble as its mails do. All but one may be over, or be the visitors'. */
function describeTroubles({ troubles }: ServerStatus, { replyClock }: Settings): Finding[] {
  const format = instantFormat(replyClock.timeZone);
  return troubles.flatMap(({ cause, since }) => {
    const { text, remedy, shownBy } = entries[cause];
    if (shownBy?.includes("doctor")) return [];
    return [(cause === "retention-late" ? fix : lookAt)("trouble", `${format(since)}: ${text}`, remedy(here))];
  });
}

function inWords(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}

/** Describes a time in its largest unit. */
export function inTime(seconds: number): string {
  const [unit, of] =
    seconds < 2 * hourSeconds
      ? ["minute", 60]
      : seconds < 48 * hourSeconds
        ? ["hour", hourSeconds]
        : ["day", 24 * hourSeconds];
  return countOf(Math.floor(seconds / Number(of)), String(unit));
}
