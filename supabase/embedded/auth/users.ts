import { randomUUID } from "node:crypto";
import type { Transaction } from "@electric-sql/pglite";
import { hashPassword } from "./passwords.ts";

/** Runs the work in one transaction, with exclusive use of the database session. */
export type Transact = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

/** An open transaction. */
export type Database = Pick<Transaction, "query">;

/** A user who may sign in. */
export interface User {
  id: string;
  email: string;
  raw_app_meta_data: Record<string, unknown>;
}

/** A user to create; the address counts as confirmed. */
export interface NewUser {
  /** in lower case */
  email: string;
  password: string;
  appMetadata?: Record<string, unknown>;
}

/** Reads and writes auth.users, for the first admin, `admin` and the edge functions. */
export class Users {
  readonly #transact: Transact;

  constructor(transact: Transact) {
    this.#transact = transact;
  }

  /** @throws a database error 23505 when the address is in use */
  async create({ email, password, appMetadata }: NewUser): Promise<User> {
    const id = randomUUID();
    const hash = await hashPassword(password);
    const metadata = { provider: "email", providers: ["email"], ...appMetadata };
    await this.#transact((transaction) =>
      transaction.query(
        `insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at,
           raw_app_meta_data, raw_user_meta_data)
         values ($1, 'authenticated', 'authenticated', $2, $3, now(), $4, '{"email_verified": true}')`,
        [id, email, hash, metadata],
      ),
    );
    return { id, email, raw_app_meta_data: metadata };
  }

  /** @returns null when there is none */
  async findByEmail(email: string): Promise<User | null> {
    const found = await this.#transact((transaction) =>
      transaction.query<User>("select id, email, raw_app_meta_data from auth.users where email = lower($1)", [email]),
    );
    return found.rows[0] ?? null;
  }

  /** @returns the user in the shape of GoTrue's admin API, or null */
  describe(id: string): Promise<Record<string, unknown> | null> {
    return this.#transact((transaction) => describeUser(transaction, id));
  }

  /**
   * Sets the password and ends all of the user's sessions (by a trigger in sessions.sql).
   * @param by "operator" also writes an entry to the log of admin events (migration "operators_passwords")
   */
  async setPassword(id: string, password: string, by: "operator" | "link"): Promise<void> {
    const hash = await hashPassword(password);
    await this.#transact(async (transaction) => {
      await transaction.query("select set_config('private.sets_password', $1, true)", [by]);
      await transaction.query("update auth.users set encrypted_password = $2, updated_at = now() where id = $1", [
        id,
        hash,
      ]);
    });
  }
}

/** @returns the user in the shape of GoTrue's API, with their second factors but no secret; null when there is none */
export async function describeUser(database: Database, id: string): Promise<Record<string, unknown> | null> {
  const { rows } = await database.query<{ user: Record<string, unknown> }>(description, [id]);
  return rows[0]?.user ?? null;
}

const description = `
  select jsonb_strip_nulls(jsonb_build_object(
    'id', u.id, 'aud', u.aud, 'role', u.role, 'email', u.email, 'phone', '',
    'email_confirmed_at', u.email_confirmed_at, 'confirmed_at', u.confirmed_at, 'last_sign_in_at', u.last_sign_in_at,
    'app_metadata', u.raw_app_meta_data, 'user_metadata', u.raw_user_meta_data,
    'created_at', u.created_at, 'updated_at', u.updated_at, 'is_anonymous', false
  )) || coalesce((
    select jsonb_build_object('factors', jsonb_agg(jsonb_build_object(
      'id', f.id, 'friendly_name', f.friendly_name, 'factor_type', f.factor_type, 'status', f.status,
      'created_at', f.created_at, 'updated_at', f.updated_at, 'last_challenged_at', f.last_challenged_at, 'phone', ''
    ) order by f.created_at, f.id))
    from auth.mfa_factors f where f.user_id = u.id having count(*) > 0
  ), '{}') as user
  from auth.users u where u.id = $1`;
