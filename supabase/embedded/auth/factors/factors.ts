import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import type { Caller } from "../auth-request.ts";
import { respondWithAuthError as refuse } from "../auth-error.ts";
import type { Database } from "../users.ts";
import type { Seal } from "./sealed-secret.ts";

/** Wrong codes allowed per session within {@link waitMinutes}. */
const maxWrong = 5;
const waitMinutes = 15;
/** As in GoTrue, a code must be entered within this time of its challenge. */
const challengeMinutes = 5;
const maxFactors = 10;

/** The caller's second factors by authenticator apps (TOTP, RFC 6238), with GoTrue's responses. */
export class Factors {
  /** @param issuer the site's host, which the app shows beside the code */
  constructor(
    private readonly database: Database,
    private readonly caller: Caller,
    private readonly seal: Seal,
    private readonly issuer: string,
  ) {}

  /**
   * Creates an unverified factor and deletes earlier unverified ones. It takes effect once one of its codes is
   * verified.
   */
  async enroll(friendlyName: string): Promise<Response> {
    const { userId, email } = this.caller;
    const verified = (await this.#list()).filter(({ status }) => status === "verified");
    if (verified.length > 0 && !(await isSecondLevel(this.database, this.caller)))
      return refuse(403, "insufficient_aal", "AAL2 required to enroll a new factor");
    if (verified.length >= maxFactors)
      return refuse(422, "too_many_enrolled_mfa_factors", "Maximum number of enrolled factors reached");
    if (friendlyName !== "" && verified.some(({ friendly_name }) => friendly_name === friendlyName))
      return refuse(422, "mfa_factor_name_conflict", "A factor with this friendly name exists already");
    await this.#query("delete from auth.mfa_factors where user_id = $1 and status = 'unverified'", [userId]);
    const id = randomUUID();
    const secret = new Secret({ size: 20 });
    await this.#query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
       values ($1, $2, $3, 'totp', 'unverified', $4)`,
      [id, userId, friendlyName, this.seal.close(secret.base32)],
    );
    const uri = new TOTP({ issuer: this.issuer, label: email, secret }).toString();
    const totp = { qr_code: renderSVG(uri), secret: secret.base32, uri };
    return Response.json({ id, type: "totp", friendly_name: friendlyName, totp });
  }

  /** Starts the five minutes in which a code can be verified. */
  async challenge(factorId: string): Promise<Response> {
    if (!(await this.#find(factorId))) return noFactor();
    const id = randomUUID();
    await this.#query("delete from auth.mfa_challenges where factor_id = $1", [factorId]);
    await this.#query("insert into auth.mfa_challenges (id, factor_id) values ($1, $2)", [id, factorId]);
    await this.#query("update auth.mfa_factors set last_challenged_at = now() where id = $1", [factorId]);
    const expiresAt = Math.floor(Date.now() / 1_000) + challengeMinutes * 60;
    return Response.json({ id, type: "totp", expires_at: expiresAt });
  }

  /**
   * Verifies a code: the factor takes effect, the session becomes AAL2, and the user's AAL1 sessions end.
   * @returns null if the code is right, otherwise a refusal
   */
  async verify(factorId: string, challengeId: string, code: string): Promise<Response | null> {
    const { userId, sessionId } = this.caller;
    const factor = await this.#find(factorId);
    if (!factor) return noFactor();
    const challenges = await this.#query<{ is_open: boolean }>(
      `select created_at > now() - make_interval(mins => $3) as is_open from auth.mfa_challenges
       where id = $1 and factor_id = $2`,
      [challengeId, factorId, challengeMinutes],
    );
    if (!challenges[0])
      return refuse(404, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found");
    if (!challenges[0].is_open)
      return refuse(422, "mfa_challenge_expired", "MFA challenge has expired, create a new challenge.");
    if (!(await this.#mayTry()))
      return refuse(429, "over_request_rate_limit", "Too many wrong codes, try again in 15 minutes");
    if (!(await this.#takeCode(factor, code))) {
      await this.#query("insert into embedded.wrong_codes (user_id, session_id) values ($1, $2)", [userId, sessionId]);
      return refuse(422, "mfa_verification_failed", "Invalid TOTP code entered");
    }
    await this.#query("select embedded.reach_second_level($1, $2, $3)", [userId, sessionId, factorId]);
    return null;
  }

  /** Deletes a factor. The user's sessions become AAL1 again. */
  async unenroll(factorId: string): Promise<Response> {
    const factor = await this.#find(factorId);
    if (!factor) return noFactor();
    if (factor.status === "verified" && !(await isSecondLevel(this.database, this.caller)))
      return refuse(422, "insufficient_aal", "AAL2 required to unenroll verified factor");
    await this.#query("delete from auth.mfa_factors where id = $1", [factorId]);
    await this.#query("update auth.sessions set aal = 'aal1' where user_id = $1", [this.caller.userId]);
    return Response.json({ id: factorId });
  }

  /**
   * Accepts a correct code that is newer than the last one accepted. The code of the previous step is accepted too,
   * because typing takes time (RFC 6238, 5.2); the code of the next step is not.
   */
  async #takeCode(factor: Factor, code: string): Promise<boolean> {
    const totp = new TOTP({ secret: Secret.fromBase32(this.seal.open(factor.secret)) });
    const delta = totp.validate({ token: code, window: 1 });
    if (delta === null || delta > 0) return false;
    const taken = await this.#query(
      `insert into embedded.used_steps as used (factor_id, last_step) values ($1, $2)
       on conflict (factor_id) do update set last_step = excluded.last_step where used.last_step < excluded.last_step
       returning 1`,
      [factor.id, totp.counter() + delta],
    );
    return taken.length > 0;
  }

  async #mayTry(): Promise<boolean> {
    await this.#query("delete from embedded.wrong_codes where entered_at < now() - make_interval(mins => $1)", [
      waitMinutes,
    ]);
    const wrong = await this.#query("select 1 from embedded.wrong_codes where session_id = $1", [
      this.caller.sessionId,
    ]);
    return wrong.length < maxWrong;
  }

  #list(): Promise<Factor[]> {
    return this.#query<Factor>("select id, friendly_name, status, secret from auth.mfa_factors where user_id = $1", [
      this.caller.userId,
    ]);
  }

  async #find(factorId: string): Promise<Factor | null> {
    return (await this.#list()).find(({ id }) => id === factorId) ?? null;
  }

  async #query<Row>(text: string, parameters: unknown[]): Promise<Row[]> {
    return (await this.database.query<Row>(text, parameters)).rows;
  }
}

/** Returns true if the caller has a second factor and the session was not raised by it. */
export async function isSecondLevelDue(database: Database, caller: Caller): Promise<boolean> {
  const { rows } = await database.query("select 1 from auth.mfa_factors where user_id = $1 and status = 'verified'", [
    caller.userId,
  ]);
  return rows.length > 0 && !(await isSecondLevel(database, caller));
}

async function isSecondLevel(database: Database, { sessionId }: Caller): Promise<boolean> {
  const { rows } = await database.query("select 1 from auth.sessions where id = $1 and aal = 'aal2'", [sessionId]);
  return rows.length > 0;
}

interface Factor {
  id: string;
  friendly_name: string | null;
  status: "unverified" | "verified";
  secret: string;
}

const noFactor = () => refuse(404, "mfa_factor_not_found", "Factor not found");
