import { prepareProject, pushMigrations } from "../../database/support/postgres/hosted-project.ts";
import { openDatabase, type PostgresDatabase } from "../../database/support/postgres/postgres-database.ts";
import { startPostgres } from "../../database/support/postgres/postgres-server.ts";

/** A real PostgreSQL in the state of a hosted project after `supabase db push`. */
export interface HostedDatabase extends PostgresDatabase {
  /** as in `DATABASE_URL` */
  url: string;
  close(): Promise<void>;
}

/**
 * Columns of the sign-in service's tables (GoTrue) that the move writes, and columns that GoTrue cannot read as null.
 */
const signInTables = `
  alter table auth.users
    add column instance_id uuid, add column aud varchar(255), add column role varchar(255),
    add column raw_user_meta_data jsonb, add column created_at timestamptz, add column updated_at timestamptz,
    add column confirmation_token varchar(255), add column recovery_token varchar(255),
    add column email_change_token_new varchar(255), add column email_change varchar(255),
    add column confirmed_at timestamptz generated always as (email_confirmed_at) stored;
  create table auth.identities (
    provider_id text not null,
    user_id uuid not null references auth.users (id) on delete cascade,
    identity_data jsonb not null,
    provider text not null,
    last_sign_in_at timestamptz,
    created_at timestamptz,
    updated_at timestamptz,
    email text generated always as (lower(identity_data ->> 'email')) stored,
    id uuid primary key default gen_random_uuid(),
    unique (provider_id, provider)
  )`;

/** @throws naming the package to install when this machine has no PostgreSQL server */
export async function startHostedDatabase(): Promise<HostedDatabase> {
  const server = await startPostgres();
  const database = openDatabase(server.socketDir, "postgres");
  await prepareProject(database);
  await database.exec(signInTables);
  await pushMigrations(database);
  const url = `postgresql://postgres@/postgres?host=${encodeURIComponent(server.socketDir)}`;
  return { ...database, url, close: server.close };
}
