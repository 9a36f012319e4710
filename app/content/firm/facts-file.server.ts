import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseDocument } from "yaml";
import type { Company } from "./company-facts";
import { builtInCompany } from "./built-in";
import { type GivenFacts, checkFacts, findPortraitName } from "./facts-schema.server";
import { type Portrait, PortraitRefused, readPortrait } from "./portrait-file.server";

/** What the file of facts makes of the firm. */
export interface ReadFacts {
  /** where the facts were looked for */
  file: string;
  company: Company;
  portrait: Portrait | null;
  /** what is wrong with the file; then `company` is the built-in one */
  mistakes: readonly string[];
}

/** A hundred times what a firm needs. */
const largestBytes = 64 * 1024;

/** The name that is looked for in the data folder unless SITE_FACTS names a file. */
const defaultName = "facts.yaml";

/**
 * Reads the firm's facts: REPLY_DAYS, and the file of SITE_FACTS, or `facts.yaml` in the data folder where there is one. What it does not say
 * stays as it is built in.
 * @param environment variables by name; an empty value counts as not set
 */
export function readFacts(environment: Record<string, string | undefined>): ReadFacts {
  const named = environment.SITE_FACTS?.trim();
  const file = resolve(named || join(environment.DATA_DIR?.trim() || "./data", defaultName));
  // What else the setting may be, the site's settings refuse (settings.server.ts).
  const replyDays = environment.REPLY_DAYS?.trim() === "business" ? "business" : "all";
  const builtIn = { file, company: { ...builtInCompany, replyDays } as const, portrait: null, mistakes: [] };
  try {
    const text = readText(file, { mayBeAbsent: !named });
    if (text === null) return builtIn;
    const found = parseYaml(text);
    const { facts, mistakes } = checkFacts(found);
    const portrait = openPortrait(file, findPortraitName(found), mistakes);
    if (mistakes.length > 0) return { ...builtIn, mistakes };
    return { ...builtIn, company: complete(builtIn.company, facts, portrait), portrait };
  } catch (error) {
    if (error instanceof FileRefused) return { ...builtIn, mistakes: [error.message] };
    throw error;
  }
}

/** The file cannot be read, or is no YAML: the message says what to do. */
class FileRefused extends Error {}

/** @returns null where there is none and need not be */
function readText(file: string, { mayBeAbsent }: { mayBeAbsent: boolean }): string | null {
  try {
    const found = statSync(file);
    if (!found.isFile()) throw new FileRefused("this is no file: name the YAML file itself");
    if (found.size > largestBytes) throw new FileRefused(`it is too large: facts fit into ${largestBytes / 1024} kB`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    if (error instanceof TypeError) throw new FileRefused("it is no text in UTF-8: save it as that");
    const { code } = error as NodeJS.ErrnoException;
    if ((code === "ENOENT" || code === "ENOTDIR") && mayBeAbsent) return null;
    throw new FileRefused(code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`);
  }
}

/** YAML 1.2. Aliases are refused: facts need none, and with them a short file can become a huge one. */
function parseYaml(text: string): unknown {
  const document = parseDocument(text, { prettyErrors: true });
  const [mistake] = document.errors;
  if (mistake) throw new FileRefused(`it is no valid YAML: ${mistake.message.split("\n")[0]?.replace(/:$/, "")}`);
  try {
    return document.toJS({ maxAliasCount: 0 }) as unknown;
  } catch {
    throw new FileRefused("it has aliases (*): write each value where it belongs");
  }
}

/** @param mistakes gets another where the picture cannot be shown */
function openPortrait(file: string, name: string | null, mistakes: string[]): Portrait | null {
  if (name === null) return null;
  try {
    return readPortrait(resolve(dirname(file), name));
  } catch (error) {
    if (!(error instanceof PortraitRefused)) throw error;
    mistakes.push(`founder.portrait: ${error.message}`);
    return null;
  }
}

function complete(builtIn: Company, facts: GivenFacts, portrait: Portrait | null): Company {
  return {
    ...builtIn,
    ...facts,
    founder: { ...builtIn.founder, ...facts.founder, portrait: portrait?.address ?? builtIn.founder.portrait },
    representatives: { ...builtIn.representatives, ...facts.representatives },
  };
}
