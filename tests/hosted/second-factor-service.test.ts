import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestBackend, type TestBackend } from "../embedded/support/start-backend.ts";
import { testAdmin } from "../support/test-admin.ts";
import { type HostedSite, canRun, startHostedSite, whySkipped } from "./support/hosted-site.ts";
import { type SignInService, askBoth, call, readJson, tokenOf } from "./support/sign-in-services.ts";

interface Factor {
  id: string;
  totp: { secret: string };
}

describe.skipIf(!canRun)(`the embedded sign-in service has second factors as the real one${whySkipped}`, () => {
  let site: HostedSite;
  let backend: TestBackend;
  let both: [SignInService, SignInService];
  /** Of each service: its token so far, its factor, and how to make a code. */
  const held = new Map<SignInService, { token: string; factor: Factor; code: (steps: number) => string }>();
  const holdOf = (service: SignInService) => {
    const hold = held.get(service);
    if (!hold) throw new Error("nothing is held yet");
    return hold;
  };

  beforeAll(async () => {
    [site, backend] = await Promise.all([startHostedSite(), startTestBackend()]);
    const { projectUrl: url, keys, admin: credentials } = site;
    both = [
      { fetch, url, publishableKey: keys.publishableKey, credentials },
      { ...backend, credentials: testAdmin },
    ];
  });
  afterAll(async () => {
    await backend?.remove();
    await site?.close();
  });

  async function expectSame(ask: (service: SignInService) => Promise<Response>) {
    const [told, ours] = await askBoth(both, ask);
    expect(ours).toEqual(told);
    return told;
  }

  it("to who sets one up, without a session and with one", async () => {
    expect((await expectSame((service) => enroll(service, "nonsense"))).status).toBeGreaterThanOrEqual(400);
    const told = await expectSame(async (service) => {
      const token = await tokenOf(service);
      const answer = await enroll(service, token);
      const factor = await readJson<Factor>(answer.clone());
      const totp = new TOTP({ secret: Secret.fromBase32(factor.totp.secret) });
      const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
      held.set(service, { token, factor, code });
      return answer;
    });
    expect(told.status).toBe(200);
    await expectSame((s) => call(s, "user", { method: "GET", token: holdOf(s).token }));
  });

  it("to challenges and wrong codes", async () => {
    expect((await expectSame((s) => challenge(s, holdOf(s).token, holdOf(s).factor.id))).status).toBe(200);
    expect((await expectSame((s) => challenge(s, holdOf(s).token, crypto.randomUUID()))).status).toBe(404);
    expect((await expectSame((s) => verify(s, holdOf(s).token, holdOf(s).factor.id, "000000"))).status).toBe(422);
  });

  it("to a right code, which makes the session one of the second level", async () => {
    await expectSame((s) => call(s, "user", { method: "GET", token: holdOf(s).token }));
    const told = await expectSame(async (service) => {
      const hold = holdOf(service);
      const answer = await verify(service, hold.token, hold.factor.id, hold.code(0));
      hold.token = (await readJson<{ access_token: string }>(answer.clone())).access_token;
      return answer;
    });
    expect(told.status).toBe(200);
    expect((await expectSame((s) => call(s, "user", { method: "GET", token: holdOf(s).token }))).status).toBe(200);
    for (const service of both) expect(readClaim(holdOf(service).token)).toBe("aal2");
  });

  it("to a session that has used the password alone: no other factor, no end of this one, no new password", async () => {
    const weak = new Map<SignInService, string>();
    for (const service of both) weak.set(service, await tokenOf(service));
    const tokenIn = (service: SignInService) => weak.get(service) ?? "";
    for (const service of both) expect(readClaim(tokenIn(service))).toBe("aal1");
    await expectSame((s) => enroll(s, tokenIn(s), { friendly_name: "Other" }));
    await expectSame((s) => unenroll(s, tokenIn(s), holdOf(s).factor.id));
    const body = JSON.stringify({ password: "another long passphrase" });
    const told = await expectSame((s) => call(s, "user", { method: "PUT", token: tokenIn(s), body }));
    expect(told).toMatchObject({ status: 401, code: "insufficient_aal" });
  });

  it("to who takes it away, once and again", async () => {
    expect((await expectSame((s) => unenroll(s, holdOf(s).token, holdOf(s).factor.id))).status).toBe(200);
    expect((await expectSame((s) => unenroll(s, holdOf(s).token, holdOf(s).factor.id))).status).toBe(404);
    expect((await expectSame((s) => call(s, "user", { method: "GET", token: holdOf(s).token }))).status).toBe(200);
  });
});

function readClaim(token: string): unknown {
  return (JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { aal?: unknown }).aal;
}

function enroll(service: SignInService, token: string, body: object = {}): Promise<Response> {
  const factor = { factor_type: "totp", friendly_name: "App", ...body };
  return call(service, "factors", { token, body: JSON.stringify(factor) });
}

function challenge(service: SignInService, token: string, id: string): Promise<Response> {
  return call(service, `factors/${id}/challenge`, { token, body: "{}" });
}

async function verify(service: SignInService, token: string, id: string, code: string): Promise<Response> {
  const { id: challenge_id } = await readJson<{ id: string }>(await challenge(service, token, id));
  return call(service, `factors/${id}/verify`, { token, body: JSON.stringify({ challenge_id, code }) });
}

function unenroll(service: SignInService, token: string, id: string): Promise<Response> {
  return call(service, `factors/${id}`, { method: "DELETE", token });
}
