import { FactsError, requireFacts } from "~/content/firm/company.server";
import { listUnfilledFacts } from "~/content/firm/unfilled-facts.server";
import { listMarks } from "~/content/firm/folder-marks.server";
import { createInsightsReader } from "~/content/insights/insights-folder.server";
import { readWordFolder } from "~/content/words/word-folder.server";
import { claims, factPlaceholders } from "~/content/placeholders";
import { join } from "node:path";
import { findListEnd } from "~/lib/closed-days";
import { formatDay, localDay } from "~/lib/dates";
import { commandLine } from "~/lib/command-line";
import { requireOwnFolder } from "../../config/read-settings.server";
import { type Finding, type Installation, fix, lookAt, notChecked, ok } from "./finding.server";
import { describeMistakes } from "./settings-checks.server";

/** Finds mistakes in the file of facts, and facts and claims that the firm has yet to settle. */
export async function checkContent({ settings, isStrict }: Installation): Promise<Finding[]> {
  // The file of facts may be in it.
  requireOwnFolder(settings);
  try {
    requireFacts();
  } catch (error) {
    if (!(error instanceof FactsError)) throw error;
    return describeMistakes(error.message, "See docs/facts.example.yaml, which explains every key.", "facts");
  }
  const missing = isStrict || settings.isPublic ? listUnfilledFacts() : [];
  const list = `\`${commandLine("doctor --strict")}\` lists them.`;
  return [
    ...checkClosedDays(settings),
    ...checkWords(settings.dataDir),
    ...checkInsights(settings.dataDir),
    missing.length === 0
      ? ok("facts", "The file has no mistakes, and no placeholder is on a public site.")
      : {
          ...(isStrict ? fix : lookAt)(
            "facts",
            `Placeholders stand for ${missing.map(({ key }) => key).join(", ")}.`,
            `Supply them: docs/operations/settings.md, “Your firm's facts”.${isStrict ? "" : ` ${list}`}`,
          ),
          ...(isStrict ? { details: missing.map(({ key, reads }) => describe(key, reads)) } : {}),
        },
    {
      ...notChecked(
        "claims",
        `Only the firm can confirm the ${claims.length} claims on its pages.`,
        isStrict ? "Confirm that each is true, or change its text in the file of facts or in app/content/pages." : list,
      ),
      ...(isStrict ? { details: claims.map(({ key, says }) => describe(key, says && `“${says}”`)) } : {}),
    },
  ];
}

/** Tells in time that the list of closed days needs more. */
function checkClosedDays({ replyClock: { closed, timeZone } }: Installation["settings"]): Finding[] {
  const last = findListEnd(closed, localDay(Date.now(), timeZone));
  return last === null
    ? []
    : [lookAt("closed days", `The list ends on ${formatDay(last)}.`, "Add later days to the facts (closed).")];
}

/** Finds mistakes in the firm's own words, which keep all of them from the pages. */
function checkWords(dataDir: string): Finding[] {
  const { mistakes, changes } = readWordFolder(join(dataDir, "words"));
  if (mistakes.length === 0)
    return changes.length === 0 ? [] : [ok("words", `${changes.length} texts of your own have no mistakes.`)];
  const text = "The words have mistakes, so the pages do not show them.";
  return [{ ...fix("words", text, "Correct them: docs/operations/words.md."), details: mistakes }];
}

/** Finds mistakes in the firm's articles. */
function checkInsights(dataDir: string): Finding[] {
  const folder = join(dataDir, "insights");
  const { mistakes, articles } = createInsightsReader(folder)(listMarks(folder, ["images"]).marks);
  if (mistakes.length === 0)
    return articles.length === 0 ? [] : [ok("insights", `${articles.length} articles have no mistakes.`)];
  const text = "Articles have mistakes: these are not shown, or not as they are now.";
  return [{ ...fix("insights", text, "Correct them: docs/operations/words.md."), details: mistakes }];
}

function describe(key: string, reads: string | undefined): string {
  const { what = "The real value", where } = [...factPlaceholders, ...claims].find((one) => one.key === key) ?? {};
  return `${key}: ${what}${where ? `\n    shown on: ${where}` : ""}${reads ? `\n    reads now: ${reads}` : ""}`;
}
