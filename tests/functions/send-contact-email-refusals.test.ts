import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newMessage, type Site, startSite } from "./support/site.ts";

describe("send-contact-email with invalid input", () => {
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site?.close());

  const send = (body: unknown, init?: RequestInit) => site.call("send-contact-email", body, init);

  const countSubmissions = async () => (await site.sql("select id from public.contact_submissions")).length;

  it("names the invalid fields and stores no message", async () => {
    const before = await countSubmissions();
    const response = await send({ ...newMessage(), name: " ", email: "nobody", message: ["a"], privacyConsent: false });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: "invalid",
      fields: {
        name: ["Enter your name"],
        email: ["Enter an email address in the correct format, like name@example.com"],
        message: ["Enter your message"],
        privacyConsent: ["Check the box to agree to the privacy policy"],
      },
    });
    for (const body of ["", "{", "null", "[]", '"text"', "1"]) {
      const refused = await send(body);
      expect([body, refused.status]).toEqual([body, 400]);
      expect(await refused.json()).toMatchObject({ error: "invalid" });
    }
    expect(await countSubmissions()).toBe(before);
  });

  it("rejects other methods, other content types and oversized bodies", async () => {
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
      const refused = await send(undefined, { method });
      expect([method, refused.status, refused.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
    for (const type of ["text/plain", "application/x-www-form-urlencoded", ""]) {
      const refused = await send(newMessage(), { headers: { "Content-Type": type } });
      expect([type, refused.status]).toEqual([type, 415]);
    }
    const tooLarge = JSON.stringify(newMessage({ extra: "a".repeat(262_144) }));
    expect((await send(tooLarge)).status).toBe(413);
    expect((await send(tooLarge, { headers: { "Content-Length": "10" } })).status).toBe(413);
    expect((await send(newMessage({ extra: "a".repeat(60_000) }))).status).toBe(200);
  });

  it("returns 503 when no message could be stored", async () => {
    const reach = site.host.fetch;
    const failures: (typeof fetch | undefined)[] = [
      () => Promise.reject(new TypeError("fetch failed")),
      () => Promise.resolve(new Response("down", { status: 500 })),
      () => Promise.resolve(new Response("<html>", { status: 200 })),
    ];
    try {
      for (const failure of failures) {
        site.host.fetch = failure;
        const response = await send(newMessage());
        expect(response.status).toBe(503);
        expect(await response.json()).toEqual({ error: "unavailable" });
      }
    } finally {
      site.host.fetch = reach;
    }
    site.settings.SUPABASE_SECRET_KEY = "";
    expect((await send(newMessage())).status).toBe(503);
    site.settings.SUPABASE_SECRET_KEY = site.embedded.secretKey;
    expect((await send(newMessage())).status).toBe(200);
  });
});
