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
    .map(({ name, place }) => ({ name, place }));
}
