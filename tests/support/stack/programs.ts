import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { findDeno } from "../../functions/support/deno.ts";
import { findPostgrestBinary } from "../../database/support/postgres/postgrest.ts";

/** Message for machines on which the stack cannot start, with the fix. */
export const noAuthProgram =
  "no Supabase Auth program: unpack a release of github.com/supabase/auth and set SUPABASE_AUTH_PROGRAM to its file `auth`";

export const noCaddyProgram = "no Caddy: install it, or set CADDY_PROGRAM to its program";

/** Finds Supabase Auth: `SUPABASE_AUTH_PROGRAM`, else `gotrue` on the PATH; null without either. */
export function findAuthProgram(): string | null {
  return findProgram(process.env.SUPABASE_AUTH_PROGRAM, "gotrue");
}

/** Finds Caddy: `CADDY_PROGRAM`, else `caddy` on the PATH; null without either. */
export function findCaddyProgram(): string | null {
  return findProgram(process.env.CADDY_PROGRAM, "caddy");
}

/** Finds the programs of a stack's units, by their names there. @throws with what to install */
export function findPrograms(): Record<string, string> {
  const [auth, caddy] = [findAuthProgram(), findCaddyProgram()];
  if (!auth) throw new Error(`There is ${noAuthProgram}.`);
  if (!caddy) throw new Error(`There is ${noCaddyProgram}.`);
  return { auth, caddy, deno: findDeno(), postgrest: findPostgrestBinary() };
}

function findProgram(given: string | undefined, name: string): string | null {
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
  return (given ? [given] : onPath).find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
