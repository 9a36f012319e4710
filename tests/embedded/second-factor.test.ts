import type { SupabaseClient } from "@supabase/supabase-js";
import { Secret, TOTP } from "otpauth";
import { expect, it } from "vitest";
import { readClaims } from "../database/support/postgres/json-web-token.ts";
import { testAdmin } from "../support/test-admin.ts";
import { awaitStepWithTime } from "../support/totp-step.ts";
import { useTestBackend } from "./support/start-backend.ts";

const backend = useTestBackend();

type Auth = SupabaseClient["auth"];

/** Signs in a client that keeps its session in memory, as a browser does in cookies. */
async function signIn(credentials = testAdmin): Promise<Auth> {
  const { auth } = backend.client();
  const { error } = await auth.signInWithPassword(credentials);
  if (error) throw error;
  return auth;
}

async function enroll({ mfa }: Auth) {
  const { data, error } = await mfa.enroll({ factorType: "totp" });
  if (error) throw error;
  return { ...data.totp, factorId: data.id };
}

async function levelsOf({ mfa }: Auth) {
  const { data } = await mfa.getAuthenticatorAssuranceLevel();
  return [data?.currentLevel, data?.nextLevel];
}

/** @returns the error of the code, or null */
const enter = async ({ mfa }: Auth, factorId: string, code: string) =>
  (await mfa.challengeAndVerify({ factorId, code })).error;

/** @param steps time steps of 30 seconds from now */
function codeFor(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}

it("is enrolled, required, protected against replay, and removed", async () => {
  const first = await signIn();
  const other = await signIn();
  expect(await levelsOf(first)).toEqual(["aal1", "aal1"]);
  const { secret, uri, qr_code, factorId } = await enroll(first);
  expect(uri).toContain("localhost%3A3000");
  expect(qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
  // The secret is not stored in plain text.
  const [stored] = await backend.sql<{ secret: string }>("select secret from auth.mfa_factors");
  expect(stored?.secret).not.toContain(secret);
  expect(await levelsOf(first)).toEqual(["aal1", "aal1"]);

  expect((await enter(first, factorId, "000000"))?.code).toBe("mfa_verification_failed");
  await awaitStepWithTime();
  expect((await enter(first, factorId, codeFor(secret, 1)))?.code, "the next step").toBe("mfa_verification_failed");
  const firstCode = codeFor(secret, -1);
  expect(await enter(first, factorId, firstCode)).toBeNull();
  expect(await levelsOf(first)).toEqual(["aal2", "aal2"]);
  const claims = readClaims((await first.getSession()).data.session!.access_token) as { amr: { method: string }[] };
  expect(claims.amr.map(({ method }) => method)).toEqual(["totp", "password"]);
  // The other session used the password alone.
  expect((await other.getUser()).error?.name).toBe("AuthSessionMissingError");

  const second = await signIn();
  expect(await levelsOf(second)).toEqual(["aal1", "aal2"]);
  const factors = (await second.mfa.listFactors()).data;
  expect(factors?.totp.map(({ id, status }) => [id, status])).toEqual([[factorId, "verified"]]);
  for (const { error } of [
    await second.mfa.enroll({ factorType: "totp" }),
    await second.mfa.unenroll({ factorId }),
    await second.updateUser({ password: "another passphrase of theirs" }),
  ])
    expect(error?.code).toBe("insufficient_aal");
  expect((await second.updateUser({ data: { theme: "dark" } })).error).toBeNull();
  expect((await enter(second, factorId, firstCode))?.code, "a used code").toBe("mfa_verification_failed");
  expect(await enter(second, factorId, codeFor(secret))).toBeNull();
  await second.refreshSession();
  expect(await levelsOf(second), "after a refresh").toEqual(["aal2", "aal2"]);

  expect((await second.mfa.unenroll({ factorId })).error).toBeNull();
  await second.refreshSession();
  expect(await levelsOf(second)).toEqual(["aal1", "aal1"]);
});

it("blocks a session after five wrong codes, but no other session", async () => {
  const client = await signIn();
  const { factorId, secret } = await enroll(client);
  const statuses = [];
  for (let count = 0; count < 6; count++) statuses.push((await enter(client, factorId, "000000"))?.status);
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  expect((await enter(client, factorId, codeFor(secret)))?.status).toBe(429);
  expect((await enter(await signIn(), factorId, "000000"))?.status).toBe(422);
  await backend.sql("update embedded.wrong_codes set entered_at = now() - interval '16 minutes'");
  expect(await enter(client, factorId, codeFor(secret))).toBeNull();
  await backend.sql("delete from auth.mfa_factors");
});

it("accepts a code only for its challenge, within five minutes, and for the caller's own factor", async () => {
  const client = await signIn();
  const { factorId, secret } = await enroll(client);
  const challengeId = (await client.mfa.challenge({ factorId })).data?.id ?? "";
  await backend.sql("update auth.mfa_challenges set created_at = now() - interval '6 minutes'");
  const late = await client.mfa.verify({ factorId, challengeId, code: codeFor(secret) });
  expect(late.error?.code).toBe("mfa_challenge_expired");
  const none = await client.mfa.verify({ factorId, challengeId: factorId, code: codeFor(secret) });
  expect(none.error?.status).toBe(404);
  const stranger = { email: "stranger@example.com", password: "a stranger's passphrase" };
  await backend.service.auth.admin.createUser({ ...stranger, email_confirm: true });
  expect((await (await signIn(stranger)).mfa.challenge({ factorId })).error?.status).toBe(404);
});
