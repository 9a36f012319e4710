import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { realtime } from "#supabase/functions/_shared/host/realtime.ts";

/** A backend with the product's migrations, however it is made. */
export interface TestBackend {
  /** The anonymous visitor's client, or that of whoever the token names. */
  client(token?: string): SupabaseClient;
  /** Passes every policy. */
  service: SupabaseClient;
  /** A person who is signed in and has no role; `claims` are added to the token where the backend allows it. */
  signIn(): Promise<Person>;
  /** Rows of one statement that returns some, as the superuser. */
  sql<T>(query: string, parameters?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** Somebody with an account. */
export interface Person {
  id: string;
  email: string;
  token: string;
}

/** Somebody who is signed in and may read submissions. */
export async function signInAdmin(backend: TestBackend): Promise<Person> {
  const person = await backend.signIn();
  await backend.sql("insert into public.user_roles (user_id, role) values ($1, 'admin') returning role", [person.id]);
  return person;
}

/** A supabase-js client that keeps no session; `token` stands for a signed-in person. */
export function makeClient(url: string, key: string, reach: typeof fetch, token?: string): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: reach, headers: token ? { Authorization: `Bearer ${token}` } : {} },
    realtime,
  });
}
