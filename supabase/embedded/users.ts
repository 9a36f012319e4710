import { randomUUID } from "node:crypto";
import type { Transaction } from "@electric-sql/pglite";
import { hashPassword } from "./passwords.ts";

/** Runs the work in one transaction, alone on the database session. */
export type Transact = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

type Metadata = Record<string, unknown>;

/** What may be set on a user; what is left out stays as it is. A null in metadata removes that key (as GoTrue does). */
export interface UserChanges {
  email?: string | undefined;
  password?: string | undefined;
  emailConfirmed?: boolean | undefined;
  userMetadata?: Metadata | undefined;
  appMetadata?: Metadata | undefined;
}

/** A row of auth.users with its identities, as lite keeps them. */
export interface UserRow {
  id: string;
  aud: string;
  role: string;
  email: string | null;
  phone: string | null;
  email_confirmed_at: string | null;
  last_sign_in_at: string | null;
  raw_app_meta_data: Metadata;
  raw_user_meta_data: Metadata;
  created_at: string;
  updated_at: string;
  identities: Metadata[];
}

/** Reads and writes of auth.users, for the admin endpoints and the first administrator. */
export class Users {
  readonly #transact: Transact;

  constructor(transact: Transact) {
    this.#transact = transact;
  }

  /** @throws a database error 23505 when the address is taken */
  async create(user: UserChanges & { email: string }): Promise<UserRow> {
    const id = randomUUID();
    const hash = user.password === undefined ? null : await hashPassword(user.password);
    const appMetadata = { provider: "email", providers: ["email"], ...withoutNulls(user.appMetadata) };
    const identity = {
      sub: id,
      email: user.email,
      email_verified: user.emailConfirmed === true,
      phone_verified: false,
    };
    return this.#transact(async (transaction) => {
      await transaction.query(
        `insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at,
           raw_app_meta_data, raw_user_meta_data)
         values ($1, 'authenticated', 'authenticated', $2, $3, case when $4 then now() end, $5, $6)`,
        [id, user.email, hash, user.emailConfirmed === true, appMetadata, withoutNulls(user.userMetadata)],
      );
      await transaction.query(
        "insert into auth.identities (id, provider, provider_id, user_id, identity_data) values ($1, 'email', ($2::uuid)::text, $2, $3)",
        [randomUUID(), id, identity],
      );
      return getRow(transaction, id);
    });
  }

  /** Oldest first, one page, with the number of all users. */
  async list(page: number, perPage: number): Promise<{ users: UserRow[]; total: number }> {
    return this.#transact(async (transaction) => {
      const count = await transaction.query<{ total: number }>("select count(*)::int as total from auth.users");
      const users = await transaction.query<UserRow>(`${selectUser} order by u.created_at, u.id limit $1 offset $2`, [
        perPage,
        (page - 1) * perPage,
      ]);
      return { users: users.rows, total: count.rows[0]?.total ?? 0 };
    });
  }

  /** @returns null when there is none */
  async find(id: string): Promise<UserRow | null> {
    return this.#transact((transaction) => findRow(transaction, id));
  }

  /** @returns null when there is none */
  async findByEmail(email: string): Promise<UserRow | null> {
    return this.#transact(async (transaction) => {
      const found = await transaction.query<UserRow>(`${selectUser} where u.email = lower($1)`, [email]);
      return found.rows[0] ?? null;
    });
  }

  /**
   * A new password ends all of the user's sessions (by a trigger in sessions.sql).
   * @returns null when there is no such user
   * @throws a database error 23505 when the new address is taken
   */
  async update(id: string, changes: UserChanges): Promise<UserRow | null> {
    const hash = changes.password === undefined ? null : await hashPassword(changes.password);
    return this.#transact(async (transaction) => {
      const user = await findRow(transaction, id);
      if (!user) return null;
      await transaction.query(
        `update auth.users set
           email = coalesce($2, email),
           encrypted_password = coalesce($3, encrypted_password),
           email_confirmed_at = case when $4 then coalesce(email_confirmed_at, now()) else email_confirmed_at end,
           raw_app_meta_data = $5, raw_user_meta_data = $6, updated_at = now()
         where id = $1`,
        [
          id,
          changes.email ?? null,
          hash,
          changes.emailConfirmed === true,
          withoutNulls({ ...user.raw_app_meta_data, ...changes.appMetadata }),
          withoutNulls({ ...user.raw_user_meta_data, ...changes.userMetadata }),
        ],
      );
      await transaction.query(
        `update auth.identities i set updated_at = now(), identity_data = i.identity_data
             || jsonb_build_object('email', u.email, 'email_verified', u.email_confirmed_at is not null)
         from auth.users u where u.id = $1 and i.user_id = u.id and i.provider = 'email'`,
        [id],
      );
      return getRow(transaction, id);
    });
  }

  /** @returns the user that was erased, with identities and sessions, or null when there was none */
  async erase(id: string): Promise<UserRow | null> {
    return this.#transact(async (transaction) => {
      const user = await findRow(transaction, id);
      if (!user) return null;
      await transaction.query("select embedded.end_sessions_of($1)", [id]);
      await transaction.query("delete from auth.users where id = $1", [id]);
      return user;
    });
  }
}

const selectUser = `
  select u.id, u.aud, u.role, u.email, u.phone, u.email_confirmed_at, u.last_sign_in_at,
    u.raw_app_meta_data, u.raw_user_meta_data, u.created_at, u.updated_at,
    coalesce((
      select jsonb_agg(jsonb_build_object('identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id,
        'identity_data', i.identity_data, 'provider', i.provider, 'email', i.email,
        'last_sign_in_at', i.last_sign_in_at, 'created_at', i.created_at, 'updated_at', i.updated_at))
      from auth.identities i where i.user_id = u.id), '[]') as identities
  from auth.users u`;

async function findRow(transaction: Transaction, id: string): Promise<UserRow | null> {
  const found = await transaction.query<UserRow>(`${selectUser} where u.id = $1`, [id]);
  return found.rows[0] ?? null;
}

async function getRow(transaction: Transaction, id: string): Promise<UserRow> {
  const row = await findRow(transaction, id);
  if (!row) throw new Error("A user that was just written is gone");
  return row;
}

function withoutNulls(metadata: Metadata = {}): Metadata {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
}
