import { randomBytes, randomUUID } from "node:crypto";
import type { PGlite } from "@electric-sql/pglite";

/** Session that replaces an ended one. */
export interface NewSession {
  sessionId: string;
  refreshToken: string;
}

/** Gives a session a new id and a new refresh token, so that a copy of the old tokens gains nothing from a code. */
export async function replaceSession(database: PGlite, oldId: string): Promise<NewSession> {
  const made = { sessionId: randomUUID(), refreshToken: randomBytes(32).toString("base64url") };
  await database.query("select embedded.replace_session($1, $2, $3)", [oldId, made.sessionId, made.refreshToken]);
  return made;
}
