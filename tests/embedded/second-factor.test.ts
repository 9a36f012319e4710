import type { SupabaseClient } from "@supabase/supabase-js";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EmbeddedTestBackend, startEmbeddedTestBackend } from "../database/support/embedded-backend.ts";
import { readClaims } from "../database/support/postgres/json-web-token.ts";
import { makeClient } from "../database/support/test-backend.ts";
import { testAdmin } from "../support/test-admin.ts";
import { awaitStepWithTime } from "../support/totp-step.ts";

let backend: EmbeddedTestBackend;
beforeAll(async () => {
  backend = await startEmbeddedTestBackend();
  await backend.sql("insert into public.user_roles (user_id, role) select id, 'admin' from auth.users returning role");
});
afterAll(() => backend?.close());

/** Signs in a client that keeps its session in memory, as a browser does in cookies. */
async function signIn(): Promise<SupabaseClient> {
  const client = backend.client();
  const { error } = await client.auth.signInWithPassword(testAdmin);
  if (error) throw error;
  return client;
}

/** Returns the standing of a session, requested with its own access token. */
async function standingOf(client: SupabaseClient): Promise<unknown> {
  const token = (await client.auth.getSession()).data.session?.access_token;
  return (
    await makeClient(backend.embedded.url, backend.embedded.publishableKey, backend.embedded.fetch, token)
      .rpc("admin_standing")
      .throwOnError()
  ).data;
}

async function levelsOf(client: SupabaseClient) {
  const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
  return [data?.currentLevel, data?.nextLevel];
}

/** @param steps time steps of 30 seconds from now */
function codeFor(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}

it("is enrolled, required, protected against replay, and removed", async () => {
  const first = await signIn();
  const other = await signIn();
  expect(await levelsOf(first)).toEqual(["aal1", "aal1"]);
  expect(await standingOf(first)).toBe("admin");
  const { data: begun, error } = await first.auth.mfa.enroll({ factorType: "totp", friendlyName: "Phone" });
  expect(error).toBeNull();
  if (begun?.type !== "totp") throw new Error("no factor");
  const { secret, uri, qr_code } = begun.totp;
  expect(uri).toContain("localhost%3A3000");
  expect(qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
  // The secret is not stored in plain text.
  const [stored] = await backend.sql<{ secret: string }>("select secret from auth.mfa_factors");
  expect(stored?.secret).not.toContain(secret);
  expect(await levelsOf(first)).toEqual(["aal1", "aal1"]);

  const factorId = begun.id;
  const wrong = await first.auth.mfa.challengeAndVerify({ factorId, code: "000000" });
  expect(wrong.error?.code).toBe("mfa_verification_failed");
  await awaitStepWithTime();
  const ahead = await first.auth.mfa.challengeAndVerify({ factorId, code: codeFor(secret, 1) });
  expect(ahead.error?.code, "the code of the next step").toBe("mfa_verification_failed");
  const firstCode = codeFor(secret, -1);
  const right = await first.auth.mfa.challengeAndVerify({ factorId, code: firstCode });
  expect(right.error).toBeNull();
  expect(await levelsOf(first)).toEqual(["aal2", "aal2"]);
  expect(await standingOf(first)).toBe("admin");
  expect(readMethods(await tokenOf(first))).toEqual(["totp", "password"]);
  // The other session used the password alone.
  expect((await other.auth.getUser()).error?.name).toBe("AuthSessionMissingError");

  const second = await signIn();
  expect(await levelsOf(second)).toEqual(["aal1", "aal2"]);
  expect(await standingOf(second)).toBe("challenge");
  const factors = (await second.auth.mfa.listFactors()).data;
  expect(factors?.totp.map(({ id, status }) => [id, status])).toEqual([[factorId, "verified"]]);
  expect((await second.auth.mfa.enroll({ factorType: "totp" })).error?.code).toBe("insufficient_aal");
  expect((await second.auth.mfa.unenroll({ factorId })).error?.code).toBe("insufficient_aal");
  const changed = await second.auth.updateUser({ password: "another passphrase of theirs" });
  expect(changed.error?.code, "a new password").toBe("insufficient_aal");
  expect((await second.auth.updateUser({ data: { theme: "dark" } })).error).toBeNull();
  const again = await second.auth.mfa.challengeAndVerify({ factorId, code: firstCode });
  expect(again.error?.code, "a code that was used").toBe("mfa_verification_failed");
  const next = await second.auth.mfa.challengeAndVerify({ factorId, code: codeFor(secret) });
  expect(next.error).toBeNull();
  expect(await standingOf(second)).toBe("admin");
  await second.auth.refreshSession();
  expect(await levelsOf(second), "after a refresh").toEqual(["aal2", "aal2"]);

  expect((await second.auth.mfa.unenroll({ factorId })).error).toBeNull();
  await second.auth.refreshSession();
  expect(await levelsOf(second)).toEqual(["aal1", "aal1"]);
  expect(await standingOf(second)).toBe("admin");
});

it("blocks a session after five wrong codes, but no other session", async () => {
  const client = await signIn();
  const { data } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "Tablet" });
  if (data?.type !== "totp") throw new Error("no factor");
  const statuses = [];
  for (let count = 0; count < 6; count++) {
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code: "000000" });
    statuses.push(error?.status);
  }
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  const right = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code: codeFor(data.totp.secret) });
  expect(right.error?.status).toBe(429);
  const other = await signIn();
  const elsewhere = await other.auth.mfa.challengeAndVerify({ factorId: data.id, code: "000000" });
  expect(elsewhere.error?.status).toBe(422);
  await backend.sql("update embedded.wrong_codes set entered_at = now() - interval '16 minutes' returning 1");
  const later = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code: codeFor(data.totp.secret) });
  expect(later.error).toBeNull();
});

it("accepts a code only for its challenge, within five minutes, and for the caller's own factor", async () => {
  const client = await signIn();
  await backend.sql("delete from auth.mfa_factors returning id");
  const { data } = await client.auth.mfa.enroll({ factorType: "totp" });
  if (data?.type !== "totp") throw new Error("no factor");
  const factorId = data.id;
  const challengeId = (await client.auth.mfa.challenge({ factorId })).data?.id ?? "";
  await backend.sql("update auth.mfa_challenges set created_at = now() - interval '6 minutes' returning id");
  const late = await client.auth.mfa.verify({ factorId, challengeId, code: codeFor(data.totp.secret) });
  expect(late.error?.code).toBe("mfa_challenge_expired");
  const none = await client.auth.mfa.verify({ factorId, challengeId: factorId, code: codeFor(data.totp.secret) });
  expect(none.error?.status).toBe(404);
  const stranger = backend.client((await backend.signIn()).token);
  const response = await backend.embedded.fetch(`${backend.embedded.url}/auth/v1/factors/${factorId}/challenge`, {
    method: "POST",
    headers: { Authorization: `Bearer ${(await backend.signIn()).token}`, apikey: backend.embedded.publishableKey },
  });
  expect(response.status).toBe(404);
  expect((await stranger.rpc("admin_standing").throwOnError()).data).toBe("none");
});

async function tokenOf(client: SupabaseClient): Promise<string> {
  return (await client.auth.getSession()).data.session?.access_token ?? "";
}

function readMethods(token: string): string[] {
  return (readClaims(token) as unknown as { amr: { method: string }[] }).amr.map(({ method }) => method);
}
