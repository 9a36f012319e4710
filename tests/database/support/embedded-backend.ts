import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { type EmbeddedBackend, startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { makeSiteFolder } from "../../support/site-folder.ts";
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
    admin: { email: "owner@example.com", password },
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
      const created = await service.auth.admin.createUser({ email, password, email_confirm: true });
      const signedIn = await client().auth.signInWithPassword({ email, password });
      if (created.error || signedIn.error) throw created.error ?? signedIn.error;
      return { id: signedIn.data.user.id, email, token: signedIn.data.session.access_token };
    },
    close: async () => {
      await embedded.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const password = "correct horse battery staple";
