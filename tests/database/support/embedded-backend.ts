import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { type EmbeddedBackend, startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { makeSiteFolder } from "../../support/site-folder.ts";
import { hashCheaply, testAdmin } from "../../support/test-admin.ts";
import { makeClient, type TestBackend } from "./test-backend.ts";

/** The backend that the site carries with it, on a folder of its own. */
export interface EmbeddedTestBackend extends TestBackend {
  embedded: EmbeddedBackend;
}

/** Starts it with the given functions, or none. */
export async function startEmbeddedTestBackend(
  functions: Parameters<typeof startEmbeddedBackend>[0]["functions"] = {},
): Promise<EmbeddedTestBackend> {
  const dataDir = await makeSiteFolder();
  const embedded = await startEmbeddedBackend({
    dataDir,
    siteUrl: "http://localhost:3000",
    admin: testAdmin,
    functions,
    log: () => undefined,
  });
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
    close: async () => {
      await embedded.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const password = "correct horse battery staple";
const passwordHash = hashCheaply(password);
