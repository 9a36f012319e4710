import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientOf } from "./support/client.ts";
import { startTestBackend, type TestBackend } from "./support/start-backend.ts";
import { testAdmin } from "../support/test-admin.ts";

describe("the sign-in service behind the gateway", () => {
  let backend: TestBackend;
  beforeAll(async () => void (backend = await startTestBackend()));
  afterAll(() => backend.remove());

  it("rejects sign-up with either key, and passwords of fewer than twelve characters", async () => {
    const anon = clientOf(backend, backend.publishableKey);
    const credentials = { email: "new@example.org", password: "long-enough-password" };
    for (const client of [anon, clientOf(backend, backend.secretKey)]) {
      expect((await client.auth.signUp(credentials)).error?.code).toBe("signup_disabled");
    }
    const { email } = credentials;
    expect((await anon.auth.signInWithOtp({ email })).error?.code).toBe("otp_disabled");
    expect((await anon.auth.resetPasswordForEmail(testAdmin.email)).error?.code).toBe("otp_disabled");
    for (const endpoint of [
      "otp",
      "magiclink",
      "recover",
      "resend",
      "verify",
      "invite",
      "authorize",
      "OTP",
      "otp/",
      "%6ftp",
    ]) {
      const headers = { apikey: backend.secretKey, "content-type": "application/json" };
      const body = JSON.stringify({ email, create_user: true });
      const response = await backend.fetch(`${backend.url}/auth/v1/${endpoint}`, { method: "POST", headers, body });
      expect(response.status).toBe(422);
    }
    expect(await backend.sql("select email from auth.users")).toEqual([{ email: testAdmin.email }]);
    await anon.auth.signInWithPassword(testAdmin);
    expect((await anon.auth.updateUser({ password: "only-11-chr" })).error?.code).toBe("weak_password");
  });

  it("spends a hash on an unknown address, as on a known one", async () => {
    const anon = clientOf(backend, backend.publishableKey);
    const spent: number[] = [];
    for (let tries = 0; tries < 5; tries++) {
      const before = process.cpuUsage();
      const credentials = { email: `nobody${tries}@example.org`, password: "not the passphrase" };
      expect((await anon.auth.signInWithPassword(credentials)).error?.code).toBe("invalid_credentials");
      const { user, system } = process.cpuUsage(before);
      spent.push((user + system) / 1_000);
    }
    // Milliseconds of processor time: bcrypt at cost 10 takes tens, everything else a few.
    expect(Math.min(...spent)).toBeGreaterThan(20);
  });

  it("responds 400 to a password, an address or a refresh token that is no text", async () => {
    const headers = { apikey: backend.publishableKey, "content-type": "application/json" };
    const { email } = testAdmin;
    const texts = [5, null, ["x"], { a: 1 }, "x\0"];
    const bodies = [
      ...texts.flatMap((value) => [
        ["password", { email, password: value }],
        ["password", { email: value, password: "x" }],
        ["refresh_token", { refresh_token: value }],
      ]),
      ["password", null],
    ];
    for (const [grant, sent] of bodies) {
      const address = `${backend.url}/auth/v1/token?grant_type=${String(grant)}`;
      const response = await backend.fetch(address, { method: "POST", headers, body: JSON.stringify(sent) });
      expect([sent, response.status]).toEqual([sent, 400]);
    }
    const member = clientOf(backend, backend.publishableKey);
    const { data } = await member.auth.signInWithPassword(testAdmin);
    const change = await backend.fetch(`${backend.url}/auth/v1/user`, {
      method: "PUT",
      headers: { ...headers, authorization: `Bearer ${data.session?.access_token}` },
      body: JSON.stringify({ password: null }),
    });
    expect(change.status).toBe(400);
  });
});
