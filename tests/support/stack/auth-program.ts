import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Message for machines on which the stack cannot start, with the fix. */
export const noAuthProgram =
  "no Supabase Auth program: unpack a release of github.com/supabase/auth and set SUPABASE_AUTH_PROGRAM to its file `auth`";

/** Finds Supabase Auth: `SUPABASE_AUTH_PROGRAM`, else `gotrue` on the PATH; null without either. */
export function findAuthProgram(): string | null {
  const given = process.env.SUPABASE_AUTH_PROGRAM;
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "gotrue"));
  return (given ? [given] : onPath).find((file) => existsSync(file)) ?? null;
}
