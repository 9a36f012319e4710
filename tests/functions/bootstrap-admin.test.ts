import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Site, startSite } from "./support/site.ts";

describe("bootstrap-admin", () => {
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
  });
  beforeEach(() => {
    site.settings.ADMIN_EMAILS = undefined;
  });
  afterAll(() => site?.close());

  async function bootstrap(token?: string, init: RequestInit = {}) {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    const response = await site.call("bootstrap-admin", undefined, { ...init, headers });
    return { status: response.status, body: await response.json() };
  }

  async function isAdmin(token: string) {
    return (await site.client(token).rpc("admin_standing").throwOnError()).data === "admin";
  }

  it("grants the role to a confirmed address on the list, regardless of case, and repeatedly", async () => {
    const person = await site.signIn();
    expect(await isAdmin(person.token)).toBe(false);
    site.settings.ADMIN_EMAILS = ` other@example.com , ${person.email.toUpperCase()} `;
    expect(await bootstrap(person.token)).toEqual({ status: 200, body: { ok: true } });
    expect(await bootstrap(person.token)).toEqual({ status: 200, body: { ok: true } });
    expect(await isAdmin(person.token)).toBe(true);
  });

  it("returns the same 403 to all other callers", async () => {
    const refused = { status: 403, body: { error: "forbidden" } };
    const person = await site.signIn();
    expect(await bootstrap(person.token)).toEqual(refused);
    site.settings.ADMIN_EMAILS = ",, ,";
    expect(await bootstrap(person.token)).toEqual(refused);
    site.settings.ADMIN_EMAILS = `x${person.email}, ${person.email}.example`;
    expect(await bootstrap(person.token)).toEqual(refused);

    site.settings.ADMIN_EMAILS = person.email;
    expect(await bootstrap()).toEqual(refused);
    expect(await bootstrap("nonsense")).toEqual(refused);
    expect(await bootstrap(`${person.token}x`)).toEqual(refused);
    expect(await bootstrap(site.embedded.publishableKey)).toEqual(refused);
    expect(await bootstrap(site.embedded.secretKey)).toEqual(refused);
    expect(await isAdmin(person.token)).toBe(false);
  });

  it("rejects an unconfirmed address", async () => {
    const person = await site.signIn();
    site.settings.ADMIN_EMAILS = person.email;
    await site.sql("update auth.users set email_confirmed_at = null where id = $1", [person.id]);
    expect((await bootstrap(person.token)).status).toBe(403);
    await site.sql("update auth.users set email_confirmed_at = now() where id = $1", [person.id]);
    expect((await bootstrap(person.token)).status).toBe(200);
  });

  it("rejects a signed-out token whose signature is still valid", async () => {
    const person = await site.signIn();
    site.settings.ADMIN_EMAILS = person.email;
    const { error } = await site.service.auth.admin.signOut(person.token, "local");
    expect(error).toBeNull();
    expect((await bootstrap(person.token)).status).toBe(403);
  });

  it("accepts only POST, and returns 503 when the backend fails", async () => {
    const person = await site.signIn();
    site.settings.ADMIN_EMAILS = person.email;
    expect((await bootstrap(person.token, { method: "GET" })).status).toBe(405);
    const reach = site.host.fetch!;
    const failures: (typeof fetch)[] = [
      () => Promise.reject(new TypeError("fetch failed")),
      () => Promise.resolve(Response.json({ message: "down" }, { status: 500 })),
      (input, init) => {
        const isRest = new URL(new Request(input, init).url).pathname.startsWith("/rest/");
        return isRest ? Promise.reject(new TypeError("fetch failed")) : reach(input, init);
      },
    ];
    for (const failure of failures) {
      site.host.fetch = failure;
      expect(await bootstrap(person.token)).toEqual({ status: 503, body: { error: "unavailable" } });
    }
    site.host.fetch = reach;
    expect((await bootstrap(person.token)).status).toBe(200);
  });
});
