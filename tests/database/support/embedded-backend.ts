import { randomUUID } from "node:crypto";
import { type EmbeddedBackend, startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import type { EdgeFunctions } from "#supabase/embedded/functions.ts";
import { makeLastingSiteFolder } from "../../support/site-folder.ts";
import { hashCheaply, testAdmin } from "../../support/test-admin.ts";
import { captureRows } from "../../support/pool/capture-rows.mjs";
import { shareBackend } from "./shared-backend.ts";
import { makeClient, type TestBackend } from "./test-backend.ts";

/** The embedded backend with the test admin's account and no other rows. */
export interface EmbeddedTestBackend extends TestBackend {
  embedded: EmbeddedBackend;
}

/** Starts it with the given edge functions, or none. */
export async function startEmbeddedTestBackend(functions: EdgeFunctions = {}): Promise<EmbeddedTestBackend> {
  const embedded = await borrow();
  Object.assign(embedded.functions, functions);
  const client = (token?: string) => makeClient(embedded.url, embedded.publishableKey, embedded.fetch, token);
  const service = makeClient(embedded.url, embedded.secretKey, embedded.fetch);
  return {
    embedded,
    client,
    service,
    sql: embedded.sql,
    exec: embedded.sql,
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
    close: embedded.close,
  };
}

/** Backend whose edge functions are those of the current borrower. */
const borrow = shareBackend(async (note) => {
  const functions: EdgeFunctions = {};
  const embedded = await startEmbeddedBackend({
    dataDir: await makeLastingSiteFolder(),
    siteUrl: "http://localhost:3000",
    admin: testAdmin,
    functions,
    log: () => undefined,
  });
  const { sql } = embedded;
  const restore = await captureRows({ sql, exec: sql });
  const noted: EmbeddedBackend["sql"] = (query, parameters) => sql(note(query), parameters);
  return {
    backend: { ...embedded, functions, sql: noted },
    restoreRows: () => {
      for (const name of Object.keys(functions)) delete functions[name];
      return restore();
    },
  };
});

const password = "correct horse battery staple";
const passwordHash = hashCheaply(password);
