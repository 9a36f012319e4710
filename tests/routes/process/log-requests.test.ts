import { expect, it } from "vitest";
import { startSite, testAdmin } from "../../support/site";
import { Visitor } from "../../support/visitor";

/** Visits a page, and fails to sign in. @returns the names of all logged events */
async function logVisits(settings: Record<string, string>): Promise<string[]> {
  const site = await startSite(settings);
  const visitor = new Visitor(site.url);
  expect((await visitor.get("/about")).status).toBe(200);
  expect((await visitor.post("/login", { ...testAdmin, password: "not the password" })).status).toBe(401);
  await site.stop();
  const lines = site.output().split("\n").filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { event: string }).event);
}

it("logs every request", async () => {
  const events = await logVisits({});
  expect(events.filter((event) => event === "request")).toHaveLength(2);
});

it("logs no request with LOG_REQUESTS=off, but everything else", async () => {
  const events = await logVisits({ LOG_REQUESTS: "off" });
  expect(events).not.toContain("request");
  expect(events).toContain("sign-in.attempt");
});
