import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll } from "vitest";
import { type Calls, type Person, signInAdmin, type TestBackend } from "./test-backend.ts";

/** An admin with a session. */
export interface Admin extends Person, Calls {
  client: SupabaseClient;
  /** Calls a function as this admin. See {@link call}. */
  call(name: string, parameters?: Record<string, unknown>, seen?: number): ReturnType<typeof call>;
}

/** Signs in an admin before the tests of a file. The returned object is complete from then on. */
export function useAdmin(backend: TestBackend): Admin {
  const admin = {} as Admin;
  beforeAll(async () => void Object.assign(admin, await newAdmin(backend)));
  return admin;
}

/** Signs in a new admin. */
export async function newAdmin(backend: TestBackend): Promise<Admin> {
  const person = await signInAdmin(backend);
  const client = backend.client(person.token);
  return { ...person, client, rpc: client.rpc.bind(client), call: (...called) => call(client, ...called) };
}

/**
 * Calls a function and returns its result, or the SQLSTATE with which it refuses.
 * @param seen version of the record that the caller's page showed
 */
export async function call(client: Calls, name: string, parameters: Record<string, unknown> = {}, seen?: number) {
  const calling = client.rpc(name, parameters);
  if (seen !== undefined) calling.setHeader("x-seen-version", String(seen));
  const { data, error } = await calling;
  return error ? error.code : data;
}
