import type { BackendLog } from "../log.ts";
import type { Secrets } from "../secrets.ts";
import type { Mutex } from "../session/mutex.ts";
import type { Tokens } from "../tokens.ts";
import type { Database, Transact, Users } from "./users.ts";

/** Dependencies of the sign-in service. */
export interface AuthParts {
  transact: Transact;
  users: Users;
  secrets: Secrets;
  tokens: Tokens;
  /** the site's host, which authenticator apps show beside the account */
  issuer: string;
  log: BackendLog;
}

/** The user who sends a request, and their session. */
export interface Caller {
  userId: string;
  email: string;
  sessionId: string;
}

/** A request with its path after `/auth/v1/`, its JSON body (`null` without one), and the means to answer it. */
export interface AuthRequest extends AuthParts {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  userAgent: string;
  /** one password at a time: all are hashed in this thread, so that turns would make none of them faster */
  hashing: Mutex;
  /**
   * Runs work in a transaction once the caller's token and session are verified.
   * @returns a refusal otherwise
   */
  asCaller<T>(work: (database: Database, caller: Caller) => Promise<T>): Promise<T | Response>;
}
