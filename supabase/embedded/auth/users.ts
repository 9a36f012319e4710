import { randomUUID } from "node:crypto";
import type { Transaction } from "@electric-sql/pglite";
import { hashPassword } from "./passwords.ts";

/** Runs the work in one transaction, alone on the database session. */
export type Transact = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

/** A person who may sign in, as lite keeps them in auth.users. */
export interface User {
  id: string;
  email: string;
  raw_app_meta_data: Record<string, unknown>;
}

/** Someone to create; their address counts as confirmed. */
export interface NewUser {
  /** in lower case */
  email: string;
  password: string;
  appMetadata?: Record<string, unknown>;
}

/** Reads and writes of auth.users, for the first administrator and `npm run admin`. */
export class Users {
  readonly #transact: Transact;

  constructor(transact: Transact) {
    this.#transact = transact;
  }

  /** @throws a database error 23505 when the address is taken */
  async create({ email, password, appMetadata }: NewUser): Promise<User> {
    const id = randomUUID();
    const hash = await hashPassword(password);
    const metadata = { provider: "email", providers: ["email"], ...appMetadata };
    const identity = { sub: id, email, email_verified: true, phone_verified: false };
    await this.#transact(async (transaction) => {
      await transaction.query(
        `insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at,
           raw_app_meta_data, raw_user_meta_data)
         values ($1, 'authenticated', 'authenticated', $2, $3, now(), $4, '{"email_verified": true}')`,
        [id, email, hash, metadata],
      );
      await transaction.query(
        "insert into auth.identities (id, provider, provider_id, user_id, identity_data) values ($1, 'email', ($2::uuid)::text, $2, $3)",
        [randomUUID(), id, identity],
      );
    });
    return { id, email, raw_app_meta_data: metadata };
  }

  /** @returns null when there is none */
  async findByEmail(email: string): Promise<User | null> {
    const found = await this.#transact((transaction) =>
      transaction.query<User>("select id, email, raw_app_meta_data from auth.users where email = lower($1)", [email]),
    );
    return found.rows[0] ?? null;
  }

  /** Ends all of the user's sessions as well (by a trigger in sessions.sql). */
  async setPassword(id: string, password: string): Promise<void> {
    const hash = await hashPassword(password);
    await this.#transact((transaction) =>
      transaction.query("update auth.users set encrypted_password = $2, updated_at = now() where id = $1", [id, hash]),
    );
  }
}
