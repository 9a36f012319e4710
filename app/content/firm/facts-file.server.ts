import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import type { Company } from "./company-facts";
import { builtInCompany } from "./built-in";
import { type GivenFacts, checkFacts, findPortraitName } from "./facts-schema.server";
import { type Portrait, PortraitError, readPortrait } from "./portrait-file.server";
import { isDeep } from "./yaml-text.server";

/** A hundred times the size that a firm needs. */
const largestBytes = 64 * 1024;

/** File name in the data folder, used unless SITE_FACTS names a file. */
const defaultName = "facts.yaml";

/**
 * Reads the firm's facts: REPLY_DAYS, and the file in SITE_FACTS, or `facts.yaml` in the data folder if it exists.
 * Facts that the file leaves out keep their built-in values.
 * @param environment variables by name; an empty value counts as not set
 * @returns the path of the file, and its mistakes; if there are any, `company` is the built-in one
 */
export function readFacts(environment: Record<string, string | undefined>) {
  const named = environment.SITE_FACTS?.trim();
  const file = resolve(named || join(environment.DATA_DIR?.trim() || "./data", defaultName));
  // The site's settings reject other values (settings.server.ts).
  const replyDays = environment.REPLY_DAYS?.trim() === "business" ? "business" : "all";
  const builtIn = { file, company: { ...builtInCompany, replyDays } as const, portrait: null, mistakes: [] };
  try {
    const text = readText(file, { mayBeAbsent: !named });
    if (text === null) return builtIn;
    const found = parseYaml(text);
    const { facts, mistakes } = checkFacts(found);
    const portrait = openPortrait(file, findPortraitName(found), mistakes);
    if (mistakes.length > 0) return { ...builtIn, mistakes };
    return { ...builtIn, company: mergeFacts(builtIn.company, facts, portrait), portrait };
  } catch (error) {
    if (error instanceof FactsFileError) return { ...builtIn, mistakes: [error.message] };
    throw error;
  }
}

/** The file cannot be read or is not YAML. The message says what to do. */
class FactsFileError extends Error {}

/** Reads the file; returns null if it does not exist and need not. */
function readText(file: string, { mayBeAbsent }: { mayBeAbsent: boolean }): string | null {
  try {
    const found = statSync(file);
    if (!found.isFile()) throw new FactsFileError("this is no file: name the YAML file itself");
    if (found.size > largestBytes)
      throw new FactsFileError(`it is too large: facts fit into ${largestBytes / 1024} kB`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof FactsFileError) throw error;
    if (error instanceof TypeError) throw new FactsFileError("it is no text in UTF-8: save it as that");
    const { code } = error as NodeJS.ErrnoException;
    if ((code === "ENOENT" || code === "ENOTDIR") && mayBeAbsent) return null;
    if (code === "ENOENT") throw new FactsFileError("there is no such file");
    const remedy =
      code === "EACCES" ? ": give it to the site’s user (`chown`), or let that user read it (`chmod`)" : "";
    throw new FactsFileError(`it cannot be read (${code})${remedy}`);
  }
}

/** Parses YAML 1.2. Rejects aliases: facts need none, and aliases can expand a short file to a huge one. */
function parseYaml(text: string): unknown {
  if (isDeep(text)) throw new FactsFileError("it has too many levels: facts need three");
  // Not `prettyErrors`, which counts the lines above each of thousands of mistakes.
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter });
  const [mistake] = document.errors;
  if (mistake) {
    const { line, col } = lineCounter.linePos(mistake.pos[0]);
    throw new FactsFileError(`it is no valid YAML: ${mistake.message} at line ${line}, column ${col}`);
  }
  try {
    return document.toJS({ maxAliasCount: 0 }) as unknown;
  } catch {
    throw new FactsFileError("it has aliases (*): write each value where it belongs");
  }
}

/** Reads the picture. Adds to `mistakes` if it cannot be shown. */
function openPortrait(file: string, name: string | null, mistakes: string[]): Portrait | null {
  if (name === null) return null;
  try {
    return readPortrait(resolve(dirname(file), name));
  } catch (error) {
    if (!(error instanceof PortraitError)) throw error;
    mistakes.push(`founder.portrait: ${error.message}`);
    return null;
  }
}

function mergeFacts(builtIn: Company, facts: GivenFacts, portrait: Portrait | null): Company {
  return {
    ...builtIn,
    ...facts,
    founder: { ...builtIn.founder, ...facts.founder, portrait: portrait?.address ?? builtIn.founder.portrait },
    representatives: { ...builtIn.representatives, ...facts.representatives },
  };
}
