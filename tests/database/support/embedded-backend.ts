import { randomUUID } from "node:crypto";
import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import type { EdgeFunctions } from "#supabase/embedded/functions.ts";
import { hashCheaply } from "../../support/test-admin.ts";
import { borrowBackend } from "./shared-backend.ts";
import { makeClient, type TestBackend } from "./test-backend.ts";

/** The embedded backend with the test admin's account and no other rows. */
export interface EmbeddedTestBackend extends TestBackend {
  embedded: EmbeddedBackend;
}

/** Starts it with the given edge functions, or none. */
export async function startEmbeddedTestBackend(functions: EdgeFunctions = {}): Promise<EmbeddedTestBackend> {
  const embedded = await borrowBackend(functions);
  const client = (token?: string) => makeClient(embedded.url, embedded.publishableKey, embedded.fetch, token);
  const service = makeClient(embedded.url, embedded.secretKey, embedded.fetch);
  return {
    embedded,
    client,
    service,
    sql: (query, parameters) => embedded.sql(query, parameters),
    signIn: async () => {
      const email = `${randomUUID()}@example.com`;
      await embedded.sql(
        `insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
           raw_user_meta_data)
         values ($1, 'authenticated', 'authenticated', $2, $3, now(), '{"provider":"email"}', '{}') returning id`,
        [randomUUID(), email, await passwordHash],
      );
      const signedIn = await client().auth.signInWithPassword({ email, password });
      if (signedIn.error) throw signedIn.error;
      return { id: signedIn.data.user.id, email, token: signedIn.data.session.access_token };
    },
    close: () => embedded.close(),
  };
}

const password = "correct horse battery staple";
const passwordHash = hashCheaply(password);
