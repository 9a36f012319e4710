import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { realtime } from "#supabase/functions/_shared/host/realtime.ts";

/** A backend with the product's migrations. */
export interface TestBackend {
  /** Client of an anonymous visitor, or of the person in the token. */
  client(token?: string): SupabaseClient;
  /** Client with the secret key, which bypasses every policy. */
  service: SupabaseClient;
  /** Signs in a new person without a role. */
  signIn(): Promise<Person>;
  /** Runs one statement as the superuser and returns its rows. */
  sql<T>(query: string, parameters?: unknown[]): Promise<T[]>;
  /** Runs statements as the role of migrations. */
  exec(statements: string): Promise<unknown>;
  close(): Promise<void>;
}

/** A client, as far as tests call functions with it. */
export type Calls = Pick<SupabaseClient, "rpc">;

/** A user with an account and a session. */
export interface Person {
  id: string;
  email: string;
  token: string;
}

/** Signs in a new person with the admin role. */
export async function signInAdmin(backend: TestBackend): Promise<Person> {
  const person = await backend.signIn();
  await backend.sql("insert into public.user_roles (user_id, role) values ($1, 'admin') returning role", [person.id]);
  return person;
}

/** Creates a supabase-js client that stores no session; `token` authenticates a person. */
export function makeClient(url: string, key: string, customFetch: typeof fetch, token?: string): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: customFetch, headers: token ? { Authorization: `Bearer ${token}` } : {} },
    realtime,
  });
}
