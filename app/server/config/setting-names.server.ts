import { type Variables, variables } from "./setting-variables.server";

/** An environment variable that the site does not use. */
export interface UnreadName {
  name: string;
  /** the setting that the operator probably meant */
  meant: string | null;
}

const known = Object.keys(variables.shape);

/** Settings of the embedded backend. A hosted project configures each elsewhere. */
export const embeddedOnly = [
  "ADMIN_EMAIL",
  "ADMIN_PASSWORD",
  "ADMIN_SECOND_FACTOR",
  "ADMIN_IDLE_HOURS",
  "SMTP_URL",
  "SMTP_USER",
  "SMTP_PASSWORD",
  "SMTP_TLS",
  "RESEND_API_KEY",
  "MAIL_FROM",
  "CONTACT_TO",
  "ACKNOWLEDGEMENTS_PER_HOUR",
  "NETWORK_MAILS_PER_HOUR",
  "TROUBLE_URL",
  "BACKUP_EVERY",
  "BACKUP_RECIPIENT",
  "BACKUP_SIGNING_KEY",
  "BACKUP_TO",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_REGION",
  "AWS_ENDPOINT_URL",
] as const satisfies readonly (keyof Variables)[];

/** Settings that apply only to a hosted project. */
export const hostedOnly = [
  "SUPABASE_URL",
  "SUPABASE_PUBLISHABLE_KEY",
  "SUPABASE_ANON_KEY",
  "SITE_KEY",
] as const satisfies readonly (keyof Variables)[];

/**
 * Finds settings that a hosted project ignores because it configures them elsewhere. Amazon's variables do not count,
 * since other programs may need them, nor does a default value.
 */
export function findIgnoredNames(given: Variables): string[] {
  if (given.SUPABASE_URL === undefined) return [];
  const unlessSet: Partial<Variables> = variables.parse({});
  return embeddedOnly.filter((name) => !name.startsWith("AWS_") && given[name] !== unlessSet[name]);
}

/** Variables in the same file that others read: Node.js, docker compose, the proxy, the C library, our own commands. */
const readByOthers =
  /^(?:(?:COMPOSE|DOCKER|BUILDKIT|CADDY|NODE|NPM|LC|MALLOC|UV|SSL|OPENSSL)_\w+|(?:HTTPS?|ALL|NO)_PROXY|TZ|LANG|PATH|HOME|USER|TMPDIR|DATABASE_URL|SITE_VERSION|SUPABASE_AUTH_PROGRAM)$/i;

/**
 * Finds variables that have no effect: in the `.env` file all unknown names, elsewhere only names that look like a
 * misspelled setting, since other programs have variables too.
 * @param environment variables by name
 * @param namesInFile names in the `.env` file
 */
export function findUnreadNames(
  environment: Record<string, string | undefined>,
  namesInFile: readonly string[],
): UnreadName[] {
  const inFile = new Set(namesInFile);
  return [...new Set([...namesInFile, ...Object.keys(environment)])]
    .filter((name) => !known.includes(name) && !readByOthers.test(name))
    .map((name) => ({ name, meant: findIntendedSetting(name, inFile.has(name)) }))
    .filter(({ name, meant }) => inFile.has(name) || meant !== null);
}

/**
 * Finds the setting closest to an unknown name. @param isOurs false outside `.env`, where short names and larger
 * differences do not count as misspellings
 */
function findIntendedSetting(name: string, isOurs: boolean): string | null {
  const least = isOurs ? 3 : 6;
  if (name.length < least) return null;
  const maxDistance = (length: number) => (length < (isOurs ? 7 : 12) ? 1 : 2);
  const candidates = known
    .filter((setting) => setting.length >= least)
    .map((setting) => ({ setting, distance: distanceBetween(simplify(name), simplify(setting)) }))
    .filter(({ setting, distance }) => distance <= maxDistance(setting.length));
  const nearest = candidates.toSorted((a, b) => a.distance - b.distance)[0]?.setting;
  return nearest ?? (isOurs ? (known.find((setting) => isShortened(setting, name.toUpperCase())) ?? null) : null);
}

/**
 * Recognizes shortened names: `SMTP_PASS` and `SMTP_PASSWORD` begin alike, `RESEND_KEY` and `RESEND_API_KEY` begin and
 * end alike.
 */
function isShortened(setting: string, name: string): boolean {
  const [short = "", long = ""] = [setting, name].toSorted((a, b) => a.length - b.length);
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
