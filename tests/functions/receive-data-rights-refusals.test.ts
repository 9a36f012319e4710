import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newRequest, type Site, startSite } from "./support/site.ts";

describe("receive-data-rights-request with invalid input", () => {
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site?.close());

  const send = (body: unknown, init?: RequestInit) => site.call("receive-data-rights-request", body, init);

  async function countRequests() {
    const [row] = await site.sql<{ n: number }>("select count(*)::int as n from public.data_rights_requests");
    return row!.n;
  }

  it("names the invalid fields and stores no request", async () => {
    const before = await countRequests();
    const response = await send({ name: " ", email: "nobody", requestType: "everything", description: ["a"] });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: "invalid",
      fields: {
        name: ["Enter your full name"],
        email: ["Enter an email address in the correct format, like name@example.com"],
        requestType: ["Select the type of request"],
        description: ["Enter the details of your request"],
      },
    });
    for (const body of ["", "{", "null", "[]", '"text"', "1"]) {
      const refused = await send(body);
      expect([body, refused.status]).toEqual([body, 400]);
      expect(await refused.json()).toMatchObject({ error: "invalid" });
    }
    expect(await countRequests()).toBe(before);
  });

  it("rejects other methods, other content types and oversized bodies", async () => {
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
      const refused = await send(undefined, { method });
      expect([method, refused.status, refused.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
    const plain = await send(newRequest(), { headers: { "Content-Type": "text/plain" } });
    expect(plain.status).toBe(415);
    expect((await send(newRequest({ extra: "a".repeat(262_144) }))).status).toBe(413);
    expect((await send(newRequest({ extra: "a".repeat(60_000) }))).status).toBe(200);
  });

  it("returns 503 and stores no request when the backend fails or SITE_URL is missing", async () => {
    const before = await countRequests();
    const reach = site.host.fetch;
    try {
      const failures: (typeof fetch)[] = [
        () => Promise.reject(new TypeError("fetch failed")),
        () => Promise.resolve(new Response("down", { status: 500 })),
      ];
      for (const failure of failures) {
        site.host.fetch = failure;
        const response = await send(newRequest());
        expect([response.status, await response.json()]).toEqual([503, { error: "unavailable" }]);
      }
    } finally {
      site.host.fetch = reach;
    }
    site.settings.SITE_URL = "";
    expect((await send(newRequest())).status).toBe(503);
    expect(site.events).toContainEqual({ event: "data-rights-request-not-stored", code: "site-url-not-set" });
    expect(await countRequests()).toBe(before);
    site.settings.SITE_URL = "https://firm.example";
    expect((await send(newRequest())).status).toBe(200);
  });
});
