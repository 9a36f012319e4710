import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@supabase/supabase-js";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testAdmin } from "../support/test-admin.ts";
import { startTestBackend, useTestBackend } from "./support/start-backend.ts";

const backend = useTestBackend();

/** Refreshes the session in a new client. Returns null when the token is rejected. */
async function refresh(refreshToken: string): Promise<Session | null> {
  return (await backend.client().auth.refreshSession({ refresh_token: refreshToken })).data.session;
}

async function isSignedIn({ access_token }: Session): Promise<boolean> {
  const { data } = await backend.client().auth.getUser(access_token);
  return data.user !== null;
}

const changePassword = (body: object, { access_token }: Pick<Session, "access_token">) =>
  backend.post("/auth/v1/user", body, { authorization: `Bearer ${access_token}` }, { method: "PUT" });

/** Makes a token look as if it was rotated this long ago. */
const ageRotation = (token: string, interval: string) =>
  backend.sql("update auth.refresh_tokens set updated_at = now() - $2::interval where token = $1 returning token", [
    token,
    interval,
  ]);

/** Makes the session look as if it started and was refreshed this long ago. */
const ageSession = (begun: string, refreshed: string | null) =>
  backend.sql(
    `update auth.sessions set created_at = now() - $1::interval,
       refreshed_at = (now() - $2::interval) at time zone 'UTC' returning id`,
    [begun, refreshed],
  );

async function restart(options: Parameters<typeof startTestBackend>[0] = {}): Promise<void> {
  await backend.close();
  Object.assign(backend, await startTestBackend({ dataDir: backend.dataDir, ...options }));
}

describe("sessions at the next start", () => {
  let session: Session;

  beforeAll(async () => {
    session = await backend.signIn();
    await backend.sql("update auth.sessions set created_at = now() - interval '2 hours'");
    await refresh(session.refresh_token);
  });

  it("continue with the same keys, under the present limits", async () => {
    await restart();
    expect(await isSignedIn(session)).toBe(true);
    await restart({ sessionLimits: { maxSeconds: 3_600, idleSeconds: 3_600 } });
    expect(await isSignedIn(session)).toBe(false);
    // Refreshed well within a short idle limit, so that an active user never counts as idle.
    expect((await backend.signIn()).expires_in).toBe(900);
  });

  it("end when the keys are new, which is logged", async () => {
    const live = await backend.signIn();
    const signedIn = await backend.sql("select id from auth.sessions");
    await rm(join(backend.dataDir, "secrets.json"));
    await restart();
    expect(await refresh(live.refresh_token)).toBeNull();
    expect(backend.events).toEqual([
      { event: "embedded.sessions-ended", reason: "new-keys", sessions: signedIn.length },
    ]);
  });
});

describe("a refresh token", () => {
  beforeEach(() => void (backend.events.length = 0));

  it("works for five concurrent requests, which all get the same new token, and for ten seconds", async () => {
    const first = await backend.signIn();
    const sessions = await Promise.all(Array.from({ length: 5 }, () => refresh(first.refresh_token)));
    const tokens = new Set(sessions.map((session) => session?.refresh_token));
    expect([...tokens]).toEqual([expect.stringMatching(/./)]);
    expect(tokens).not.toContain(first.refresh_token);
    await ageRotation(first.refresh_token, "8 seconds");
    expect((await refresh(first.refresh_token))?.refresh_token).toBe(sessions[0]?.refresh_token);
    expect(backend.events).toEqual([]);
  });

  it("ends its session when it is reused later, for the holder of the new token as well", async () => {
    const [first, elsewhere] = [await backend.signIn(), await backend.signIn()];
    const second = (await refresh(first.refresh_token))!;
    expect(await isSignedIn(second)).toBe(true);
    await ageRotation(first.refresh_token, "11 seconds");
    expect(await refresh(first.refresh_token)).toBeNull();
    expect(await isSignedIn(second)).toBe(false);
    expect(await refresh(second.refresh_token)).toBeNull();
    expect(await isSignedIn(elsewhere)).toBe(true);
    expect(backend.events).toEqual([{ event: "embedded.sessions-ended", reason: "refresh-token-reused", sessions: 1 }]);
  });
});

describe("a session", () => {
  beforeEach(async () => void (await backend.sql("delete from auth.sessions")));

  it.each([
    ["a day after sign-in, even if used", "24 hours 1 second", "1 minute", false],
    ["not earlier", "23 hours 59 minutes", "1 minute", true],
    ["after eight hours without use", "20 hours", "8 hours 1 second", false],
    ["not after seven", "20 hours", "7 hours", true],
    ["after eight hours without any use since sign-in", "8 hours 1 second", null, false],
  ])("ends %s", async (_when, begun, refreshed, lasts) => {
    const session = await backend.signIn();
    await ageSession(begun, refreshed);
    expect(await isSignedIn(session)).toBe(lasts);
    expect((await refresh(session.refresh_token)) !== null).toBe(lasts);
  });

  it("ends when the password changes, except for the session that changes it", async () => {
    const [own, other] = [await backend.signIn(), await backend.signIn()];
    expect((await changePassword({ password: "a-new-phrase-for-tests" }, own)).status).toBe(200);
    expect([await isSignedIn(own), await isSignedIn(other)]).toEqual([true, false]);
    expect(await refresh(other.refresh_token)).toBeNull();
    expect(await refresh(own.refresh_token)).not.toBeNull();
    expect((await changePassword({ password: testAdmin.password }, own)).status).toBe(200);
  });

  it("does not survive a forged token's or another client's change of the password", async () => {
    const own = await backend.signIn();
    const forged = `${own.access_token.split(".").slice(0, 2).join(".")}.c2lnbmF0dXJl`;
    expect((await changePassword({ password: "a-forged-phrase-for-tests" }, { access_token: forged })).status).toBe(
      403,
    );
    expect((await changePassword({ data: { name: "Ada" } }, own)).status).toBe(200);
    await backend.sql("update auth.users set encrypted_password = encrypted_password || 'x'");
    expect(await isSignedIn(own)).toBe(false);
    await backend.sql("update auth.users set encrypted_password = rtrim(encrypted_password, 'x')");
  });
});
