import { type Variables, listSettings, variables } from "./setting-variables.server";

/** A variable in the settings file (bin/env-file.mjs). */
export interface VariableInFile {
  name: string;
  /** e.g. `line 3 of /etc/site.env` */
  place: string;
  /** true if the environment has another value, which wins */
  isOverridden: boolean;
  /** path of the file if every user of the machine may read it, else null */
  openFile: string | null;
}

/** A variable in the settings file that the site does not use. */
export interface UnreadName {
  name: string;
  place: string;
  /** the setting that the operator probably meant */
  meant: string | null;
}

const known = Object.keys(variables.shape);

/**
 * Finds settings that a hosted project ignores because it configures them elsewhere. Amazon's variables do not count,
 * since other programs may need them, nor does a default value.
 */
export function findIgnoredNames(given: Variables): string[] {
  if (given.SUPABASE_URL === undefined) return [];
  const unlessSet: Partial<Variables> = variables.parse({});
  return listSettings()
    .filter(([name, { only }]) => only === "embedded" && !name.startsWith("AWS_") && given[name] !== unlessSet[name])
    .map(([name]) => name);
}

/** Variables in the same file that others read: Node.js, docker compose, the proxy, the C library, our own commands. */
const readByOthers =
  /^(?:(?:COMPOSE|DOCKER|BUILDKIT|CADDY|NODE|NPM|LC|MALLOC|UV|SSL|OPENSSL)_\w+|(?:HTTPS?|ALL|NO)_PROXY|TZ|LANG|PATH|HOME|USER|TMPDIR|DATABASE_URL|SITE_VERSION|SUPABASE_AUTH_PROGRAM)$/i;

/** Finds variables in the settings file that have no effect. Those of the environment belong to other programs, too. */
export function findUnreadNames(names: readonly VariableInFile[]): UnreadName[] {
  return names
    .filter(({ name }) => !known.includes(name) && !readByOthers.test(name))
    .map(({ name, place }) => ({ name, place, meant: findIntendedSetting(name) }));
}

/** Finds the setting closest to an unknown name. */
function findIntendedSetting(name: string): string | null {
  if (name.length < 3) return null;
  const nearest = known
    .map((setting) => ({ setting, distance: distanceBetween(simplify(name), simplify(setting)) }))
    .filter(({ setting, distance }) => distance <= (setting.length < 7 ? 1 : 2))
    .toSorted((a, b) => a.distance - b.distance)[0]?.setting;
  return nearest ?? known.find((setting) => isShortened(setting, name.toUpperCase())) ?? null;
}

/**
 * Recognizes shortened names: `SMTP_PASS` and `SMTP_PASSWORD` begin alike, `PROXIES` and `TRUSTED_PROXIES` end alike,
 * `RESEND_KEY` and `RESEND_API_KEY` begin and end alike.
 */
function isShortened(setting: string, name: string): boolean {
  const [short = "", long = ""] = [setting, name].toSorted((a, b) => a.length - b.length);
  if (long.endsWith(`_${short}`)) return true;
  const [first, last] = [short.slice(0, short.indexOf("_") + 1), short.slice(short.lastIndexOf("_"))];
  if (first === "") return false;
  return long.startsWith(short) || (long.startsWith(first) && long.endsWith(last));
}

/** Ignores case, underscores and plurals: TRUSTED_PROXY means TRUSTED_PROXIES. */
function simplify(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[_-]/g, "")
    .replace(/IES$/, "Y")
    .replace(/(?<!S)S$/, "");
}

/**
 * Returns the edit distance: the fewest insertions, deletions, substitutions and swaps of adjacent letters (optimal
 * string alignment).
 */
function distanceBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (up: number, left: number) => rows[i - up]?.[j - left] ?? Infinity;
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(1, 0) + 1,
          (row[j - 1] ?? Infinity) + 1,
          at(1, 1) + (isSame ? 0 : 1),
          isSwapped ? at(2, 2) + 1 : Infinity,
        ),
      );
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? Infinity;
}
