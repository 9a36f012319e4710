import { describe, expect, it } from "vitest";
import { startSite } from "../../../support/site";
import { type Visitor, leadsTo } from "../../../support/visitor";
import { readSession, sessionCookie } from "../../support/authenticator";
import { expectDone } from "../support/pages";
import { openWorld } from "../support/world";

const world = openWorld(startSite);

/** A visitor whose browser sends this as the session. */
function withSession(value: string): Visitor {
  const visitor = world.visitor();
  visitor.setCookie("admin-session", value);
  return visitor;
}

describe("a session", () => {
  it("ends at the sign-out for its browser, which says so, and for a copy of its cookie", async () => {
    const admin = await world.signIn();
    const copy = withSession(admin.cookie("admin-session") ?? "");
    expect((await copy.get("/admin")).status).toBe(200);
    expectDone(await admin.post("/logout", {}), "/login", "loggedOut");
    expect(admin.cookie("admin-session")).toBeUndefined();
    expect(leadsTo(await copy.get("/admin"))).toBe("/login");
  });

  it("lasts a day like its cookie, and is refreshed once in a request after its token expired", async () => {
    const admin = world.visitor();
    const { headers } = await admin.signIn();
    const cookie = headers.getSetCookie().find((line) => line.startsWith("admin-session="));
    expect(cookie).toContain("; Max-Age=86400;");
    for (let round = 0; round < 3; round++) {
      const expired = { ...readSession(admin.cookie("admin-session")), expires_at: 1 };
      admin.setCookie("admin-session", sessionCookie(expired));
      expect((await admin.get("/admin")).status).toBe(200);
      // A second refresh in the same request would have used up the token and ended the session.
      const renewed = readSession(admin.cookie("admin-session"));
      expect(renewed.refresh_token).not.toBe(expired.refresh_token);
      expect(renewed.expires_at).toBeGreaterThan(Date.now() / 1000);
    }
  });
});

/** A session that the service does not know. */
const unknown = {
  access_token: `${btoa('{"alg":"HS256"}')}.${btoa('{"sub":"x","exp":1}')}.c2ln`,
  refresh_token: "no-such-token",
  expires_at: 1,
  expires_in: 3600,
  token_type: "bearer",
  user: { id: "00000000-0000-4000-8000-000000000000" },
};

describe("search words", () => {
  const search = { intent: "search", search: "ada@fund.example" };

  it("cannot be read in the browser's cookie, nor from one that another key encrypted", async () => {
    const admin = await world.signIn();
    const address = leadsTo(await admin.post("/admin", search)) ?? "";
    const value = admin.cookie("admin-search") ?? "";
    expect(Buffer.from(value, "base64url").toString("latin1")).not.toMatch(/submissions|ada@|YWRh/);
    expect((await admin.get(address)).html).toContain('value="ada@fund.example"');
    admin.setCookie(
      "admin-search",
      value.replace(/^./, (first) => (first === "A" ? "B" : "A")),
    );
    expect((await admin.get(address)).html).toContain("That search has expired.");
  });

  it.each([
    ["the admin signs out", (admin: Visitor) => admin.post("/logout", {})],
    ["the session is gone", (admin: Visitor) => (admin.setCookie("admin-session", ""), admin.get("/admin"))],
    [
      "the session is refused",
      (admin: Visitor) => (admin.setCookie("admin-session", sessionCookie(unknown)), admin.get("/admin")),
    ],
    ["somebody signs in", (admin: Visitor) => admin.signIn()],
  ])("leave the browser when %s", async (_case, end) => {
    const admin = await world.signIn();
    await admin.post("/admin", search);
    expect(admin.cookie("admin-search")).toBeDefined();
    await end(admin);
    expect(admin.cookie("admin-search")).toBeUndefined();
  });
});

describe("a forged session", () => {
  it.each(["%00%ff", sessionCookie(unknown)])("leads to sign-in: %s", async (forged) => {
    const visitor = withSession(forged);
    expectDone(await visitor.get("/admin"), "/login", "loginRequired");
    expect(visitor.cookie("admin-session")).toBeUndefined();
  });

  it("is replaced by a sign-in, without an error in the log", async () => {
    const forged = sessionCookie({ access_token: "a.b.c", refresh_token: "abcdefghijkl", expires_at: 1 });
    const visitor = world.visitor();
    visitor.setCookie("admin-session.0", forged.slice(0, 30));
    visitor.setCookie("admin-session.1", forged.slice(30));
    const before = world.site.output().length;
    expect((await visitor.signIn()).status).toBe(303);
    expect(visitor.cookie("admin-session.0")).toBeUndefined();
    expect((await visitor.get("/admin")).status).toBe(200);
    const printed = world.site.output().slice(before).split("\n").filter(Boolean);
    const lines = printed.map((line) => JSON.parse(line) as { event: string; kind?: string });
    // The email about a new device is sent at an arbitrary time, and the first retention run comes after a start.
    const ofOthers = /^(?:request$|mail-|retention\.kept$)/;
    expect(lines.filter(({ event }) => !ofOthers.test(event))).toMatchObject([
      { event: "session.event", kind: "SIGNED_IN", level: "info" },
      { event: "session.event", kind: "SIGNED_OUT", level: "info" },
      { event: "sign-in.attempt", result: "succeeded", level: "info" },
    ]);
  });
});
