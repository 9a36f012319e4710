import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll } from "vitest";
import { type Person, signInAdmin, type TestBackend } from "./test-backend.ts";

/** An admin with a session. */
export interface Admin extends Person {
  client: SupabaseClient;
  /** Calls a function as this admin. See {@link call}. */
  call(name: string, parameters?: Record<string, unknown>): ReturnType<typeof call>;
}

/** Signs in an admin before the tests of a file. The returned object is complete from then on. */
export function useAdmin(backend: TestBackend): Admin {
  const admin = {} as Admin;
  beforeAll(async () => {
    const person = await signInAdmin(backend);
    const client = backend.client(person.token);
    Object.assign(admin, person, {
      client,
      call: (name: string, parameters?: Record<string, unknown>) => call(client, name, parameters),
    });
  });
  return admin;
}

/** Calls a function and returns its result, or the SQLSTATE with which it refuses. */
export async function call(client: SupabaseClient, name: string, parameters: Record<string, unknown> = {}) {
  const { data, error } = await client.rpc(name, parameters);
  return error ? error.code : data;
}
