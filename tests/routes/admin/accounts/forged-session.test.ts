import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSite, type TestSite } from "../../../support/site";
import { Visitor } from "../../../support/visitor";
import { ask } from "../../../fuzz/support/ask";

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

describe("a forged session", () => {
  it("with an invalid value is removed from the browser with all of its cookie chunks, up to a limit", async () => {
    const many = Array.from({ length: 300 }, (_, index) => `admin-session.${index}=x`).join("; ");
    const { headers } = await ask(site.url, { method: "GET", path: "/admin", headers: { Cookie: many } });
    const removed = headers["set-cookie"]?.filter((line) => /^admin-session.*Max-Age=0/.test(line)) ?? [];
    expect(removed.map((line) => line.split("=")[0])).toEqual([0, 1, 2, 3, 4].map((chunk) => `admin-session.${chunk}`));
  });

  it("is replaced and ended by a sign-in", async () => {
    const visitor = new Visitor(site.url);
    const content = JSON.stringify({ access_token: "a.b.c", refresh_token: "abcdefghijkl", expires_at: 1 });
    const forged = `base64-${Buffer.from(content).toString("base64url")}`;
    visitor.setCookie("admin-session.0", forged.slice(0, 30));
    visitor.setCookie("admin-session.1", forged.slice(30));
    const before = site.output().length;
    expect((await visitor.signIn()).status).toBe(303);
    expect(visitor.cookie("admin-session.0")).toBeUndefined();
    expect((await visitor.get("/admin")).status).toBe(200);
    // The forged session is dropped without an error in the log. The email about a new device is sent at an arbitrary
    // time, and the first retention run comes some seconds after a start.
    const printed = site.output().slice(before).split("\n").filter(Boolean);
    const lines = printed.map((line) => JSON.parse(line) as { event: string; kind?: string });
    const ofOthers = /^(?:request$|mail-|retention\.kept$)/;
    const aboutSessions = lines.filter(({ event }) => !ofOthers.test(event));
    expect(aboutSessions).toMatchObject([
      { event: "session.event", kind: "SIGNED_IN", level: "info" },
      { event: "session.event", kind: "SIGNED_OUT", level: "info" },
      { event: "sign-in.attempt", result: "succeeded", level: "info" },
    ]);
  });
});
