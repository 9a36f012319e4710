import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { canRun, skipReason } from "./support/hosted-site.ts";
import {
  type Session,
  type SignInService,
  call,
  readJson,
  sessionOf,
  signIn,
  tokenOf,
  useBothServices,
} from "./support/sign-in-services.ts";

interface Factor {
  id: string;
  totp: { secret: string };
}

describe.skipIf(!canRun)(`the embedded and the real authentication service${skipReason}`, () => {
  const services = useBothServices();
  const { expectSame, sameStatus } = services;

  it("match on a correct password", async () => {
    expect(await sameStatus((service) => signIn(service))).toBe(200);
  });

  it.each([
    ["a wrong password", { password: "not the passphrase" }],
    ["an unknown address", { email: "nobody@firm.example" }],
    ["an empty password", { password: "" }],
    ["no address", { email: undefined }],
    ["an invalid address", { email: "nobody" }],
  ])("match on %s", async (_, changes) => {
    expect(await sameStatus((service) => signIn(service, changes))).toBeGreaterThanOrEqual(400);
  });

  it("match on reading the user, with valid and invalid tokens", async () => {
    expect(await sameStatus(async (service) => getUser(service, await tokenOf(service)))).toBe(200);
    for (const token of ["nonsense", "a.b.c"]) await expectSame((service) => getUser(service, token));
    await expectSame(async (service) => {
      const token = await tokenOf(service);
      await signOut(service, token);
      return getUser(service, token);
    });
  });

  it("match on refresh tokens: current, previous and invalid", async () => {
    expect(await sameStatus(async (service) => refresh(service, await sessionOf(service)))).toBe(200);
    for (const refresh_token of ["unknown-token", ""]) {
      await expectSame((service) => refresh(service, { refresh_token }));
    }
    await expectSame(async (service) => {
      const session = await sessionOf(service);
      await refresh(service, session);
      return refresh(service, session);
    });
    await expectSame(async (service) => {
      const session = await sessionOf(service);
      await signOut(service, session.access_token);
      return refresh(service, session);
    });
  });

  it("match on signing out, and on repeating it", async () => {
    expect(await sameStatus(async (service) => signOut(service, await tokenOf(service)))).toBe(204);
    await expectSame(async (service) => {
      const token = await tokenOf(service);
      await signOut(service, token);
      return signOut(service, token);
    });
    await expectSame((service) => signOut(service, "nonsense"));
  });

  it("match on a new password, which ends the user's other sessions", async () => {
    const password = "another long passphrase";
    const [mine, other] = [await services.each(tokenOf), await services.each(sessionOf)];
    expect(await sameStatus((service) => changePassword(service, mine(service), "short"))).toBe(422);
    expect(await sameStatus((service) => changePassword(service, mine(service), password))).toBe(200);
    for (const service of [services.real, services.embedded])
      service.credentials = { ...service.credentials, password };
    expect(await sameStatus((service) => changePassword(service, mine(service), password))).toBe(422);
    expect(await sameStatus((service) => getUser(service, mine(service)))).toBe(200);
    expect(await sameStatus((service) => getUser(service, other(service).access_token))).toBe(403);
    expect(await sameStatus((service) => refresh(service, other(service)))).toBe(400);
    expect(await sameStatus((service) => signIn(service))).toBe(200);
  });

  it("match on a malformed body and on signing up", async () => {
    const responses = [
      await expectSame((service) => call(service, "token?grant_type=password", { body: "{" })),
      await expectSame((service) => call(service, "signup", { body: JSON.stringify(service.credentials) })),
    ];
    expect(responses.map(({ code }) => code)).toEqual(["bad_json", "signup_disabled"]);
  });

  // The two remaining differences (decision 27): the embedded service ends the session immediately and then rejects its
  // tokens; the real one rejects the renewal, but its access token stays valid until it expires.
  it("reject a reused refresh token with the same status; only the embedded one ends the session immediately", async () => {
    const first = await services.each(sessionOf);
    const current = await services.each(async (service) => readJson<Session>(await refresh(service, first(service))));
    await services.each((service) => refresh(service, current(service)));
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    const [ofReal, ofEmbedded] = await services.call((service) => refresh(service, first(service)));
    expect(ofReal).toMatchObject({ status: 400, code: "refresh_token_already_used" });
    expect(ofEmbedded).toEqual({ ...ofReal, code: "refresh_token_not_found" });
    const after = await services.call((service) => getUser(service, current(service).access_token));
    expect(after.map(({ status }) => status)).toEqual([200, 403]);
  });

  describe("with a second factor", () => {
    /** Per service: the current token, and the factor. */
    const enrollments = new Map<SignInService, { token: string; factor: Factor }>();
    const enrollmentOf = (service: SignInService) => enrollments.get(service)!;
    const readUser = () => sameStatus((s) => getUser(s, enrollmentOf(s).token));

    it("match on enrollment, without a session and with one", async () => {
      expect(await sameStatus((service) => enroll(service, "nonsense"))).toBeGreaterThanOrEqual(400);
      const enrolling = await expectSame(async (service) => {
        const token = await tokenOf(service);
        const enrolled = await enroll(service, token);
        enrollments.set(service, { token, factor: await readJson<Factor>(enrolled.clone()) });
        return enrolled;
      });
      expect(enrolling.status).toBe(200);
      expect(await readUser()).toBe(200);
    });

    it("match on challenges and wrong codes", async () => {
      expect(await sameStatus((s) => challenge(s, enrollmentOf(s).token, enrollmentOf(s).factor.id))).toBe(200);
      expect(await sameStatus((s) => challenge(s, enrollmentOf(s).token, crypto.randomUUID()))).toBe(404);
      expect(await sameStatus((s) => verify(s, enrollmentOf(s).token, enrollmentOf(s).factor.id, "000000"))).toBe(422);
    });

    it("match on a right code, which raises the session to aal2", async () => {
      const verifying = await expectSame(async (service) => {
        const enrollment = enrollmentOf(service);
        const { id, totp } = enrollment.factor;
        const code = new TOTP({ secret: Secret.fromBase32(totp.secret) }).generate();
        const verified = await verify(service, enrollment.token, id, code);
        enrollment.token = (await readJson<{ access_token: string }>(verified.clone())).access_token;
        return verified;
      });
      expect(verifying.status).toBe(200);
      expect(await readUser()).toBe(200);
      for (const service of [services.real, services.embedded])
        expect(readClaim(enrollmentOf(service).token)).toBe("aal2");
    });

    it("match in rejecting an aal1 session: no other factor, no unenrollment, no new password", async () => {
      const weak = await services.each(tokenOf);
      for (const service of [services.real, services.embedded]) expect(readClaim(weak(service))).toBe("aal1");
      await expectSame((s) => enroll(s, weak(s), { friendly_name: "Other" }));
      await expectSame((s) => unenroll(s, weak(s), enrollmentOf(s).factor.id));
      const response = await expectSame((s) => changePassword(s, weak(s), "another long passphrase"));
      expect(response).toMatchObject({ status: 401, code: "insufficient_aal" });
    });

    it("match on unenrollment, and on repeating it", async () => {
      for (const status of [200, 404])
        expect(await sameStatus((s) => unenroll(s, enrollmentOf(s).token, enrollmentOf(s).factor.id))).toBe(status);
      expect(await readUser()).toBe(200);
    });
  });
});

function refresh(service: SignInService, { refresh_token }: Pick<Session, "refresh_token">): Promise<Response> {
  return call(service, "token?grant_type=refresh_token", { body: JSON.stringify({ refresh_token }) });
}

function getUser(service: SignInService, token: string): Promise<Response> {
  return call(service, "user", { method: "GET", token });
}

function changePassword(service: SignInService, token: string, password: string): Promise<Response> {
  return call(service, "user", { method: "PUT", token, body: JSON.stringify({ password }) });
}

function signOut(service: SignInService, token: string): Promise<Response> {
  return call(service, "logout?scope=local", { token });
}

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
