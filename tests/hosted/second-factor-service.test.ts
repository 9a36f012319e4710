import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { canRun, skipReason } from "./support/hosted-site.ts";
import { type SignInService, call, readJson, tokenOf, useBothServices } from "./support/sign-in-services.ts";

interface Factor {
  id: string;
  totp: { secret: string };
}

describe.skipIf(!canRun)(`second factors of the embedded and the real authentication service${skipReason}`, () => {
  const services = useBothServices();
  const { expectSame } = services;
  /** Per service: the current token, the factor, and a generator for codes. */
  const enrollments = new Map<SignInService, { token: string; factor: Factor; code: (steps: number) => string }>();
  const enrollmentOf = (service: SignInService) => {
    const enrollment = enrollments.get(service);
    if (!enrollment) throw new Error("no factor is enrolled yet");
    return enrollment;
  };

  it("match on enrollment, without a session and with one", async () => {
    expect((await expectSame((service) => enroll(service, "nonsense"))).status).toBeGreaterThanOrEqual(400);
    const response = await expectSame(async (service) => {
      const token = await tokenOf(service);
      const enrolled = await enroll(service, token);
      const factor = await readJson<Factor>(enrolled.clone());
      const totp = new TOTP({ secret: Secret.fromBase32(factor.totp.secret) });
      const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
      enrollments.set(service, { token, factor, code });
      return enrolled;
    });
    expect(response.status).toBe(200);
    await expectSame((s) => call(s, "user", { method: "GET", token: enrollmentOf(s).token }));
  });

  it("match on challenges and wrong codes", async () => {
    expect((await expectSame((s) => challenge(s, enrollmentOf(s).token, enrollmentOf(s).factor.id))).status).toBe(200);
    expect((await expectSame((s) => challenge(s, enrollmentOf(s).token, crypto.randomUUID()))).status).toBe(404);
    expect(
      (await expectSame((s) => verify(s, enrollmentOf(s).token, enrollmentOf(s).factor.id, "000000"))).status,
    ).toBe(422);
  });

  it("match on a right code, which raises the session to aal2", async () => {
    await expectSame((s) => call(s, "user", { method: "GET", token: enrollmentOf(s).token }));
    const response = await expectSame(async (service) => {
      const enrollment = enrollmentOf(service);
      const verified = await verify(service, enrollment.token, enrollment.factor.id, enrollment.code(0));
      enrollment.token = (await readJson<{ access_token: string }>(verified.clone())).access_token;
      return verified;
    });
    expect(response.status).toBe(200);
    expect((await expectSame((s) => call(s, "user", { method: "GET", token: enrollmentOf(s).token }))).status).toBe(
      200,
    );
    for (const service of [services.real, services.embedded])
      expect(readClaim(enrollmentOf(service).token)).toBe("aal2");
  });

  it("match in rejecting an aal1 session: no other factor, no unenrollment, no new password", async () => {
    const weak = new Map<SignInService, string>();
    for (const service of [services.real, services.embedded]) weak.set(service, await tokenOf(service));
    const tokenIn = (service: SignInService) => weak.get(service) ?? "";
    for (const service of [services.real, services.embedded]) expect(readClaim(tokenIn(service))).toBe("aal1");
    await expectSame((s) => enroll(s, tokenIn(s), { friendly_name: "Other" }));
    await expectSame((s) => unenroll(s, tokenIn(s), enrollmentOf(s).factor.id));
    const body = JSON.stringify({ password: "another long passphrase" });
    const response = await expectSame((s) => call(s, "user", { method: "PUT", token: tokenIn(s), body }));
    expect(response).toMatchObject({ status: 401, code: "insufficient_aal" });
  });

  it("match on unenrollment, and on repeating it", async () => {
    expect((await expectSame((s) => unenroll(s, enrollmentOf(s).token, enrollmentOf(s).factor.id))).status).toBe(200);
    expect((await expectSame((s) => unenroll(s, enrollmentOf(s).token, enrollmentOf(s).factor.id))).status).toBe(404);
    expect((await expectSame((s) => call(s, "user", { method: "GET", token: enrollmentOf(s).token }))).status).toBe(
      200,
    );
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
