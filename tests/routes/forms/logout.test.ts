import { expect, it } from "vitest";
import { testAdmin } from "../../support/site";
import { type Visitor, leadsTo, readText } from "../../support/visitor";
import { encodeSession, newClient, useSite } from "../support/world";

const limit = 3;
const site = useSite({ POST_RATE_LIMIT: String(limit), TRUSTED_PROXIES: "1" });

function forger(): Visitor {
  const visitor = site.visitor();
  visitor.setCookie("admin-session", encodeSession());
  return visitor;
}

/** Uses up the invalid sessions of one minute, several at once so that a slow machine takes no longer. */
async function forge(use: (visitor: Visitor) => Promise<unknown>): Promise<void> {
  for (let sent = 0; sent < 60; sent += 12) await Promise.all(Array.from({ length: 12 }, () => use(forger())));
}

/** Signs in, in a browser that keeps the cookie of a known device. */
async function signIn(): Promise<Visitor> {
  const admin = site.visitor();
  await admin.post("/login", testAdmin, newClient());
  return admin;
}

/** Signs in, in a browser without the cookie of a known device. */
async function newcomer(): Promise<Visitor> {
  const admin = site.visitor();
  admin.setCookie("admin-session", (await signIn()).cookie("admin-session") ?? "");
  return admin;
}

it("says above the limit that the session lasts, and logs out a visitor without a session and a known device", async () => {
  const known = await signIn();
  const busy = newClient();
  for (let i = 0; i < limit; i += 1) expect((await forger().post("/logout", {}, busy)).status).toBe(303);
  const refused = forger();
  const { status, headers, html } = await refused.post("/logout", {}, busy);
  expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(readText(html)).toContain("You are still signed in");
  expect(html).toContain("<title>Error: Logout | ");
  expect(refused.cookie("admin-session")).toBeDefined();
  // A visitor without a session has none to lose and costs nothing.
  expect((await site.post("/logout", {}, busy)).status).toBe(303);
  expect(leadsTo(await known.post("/logout", {}, busy))).toBe("/login");
  expect(known.cookie("admin-session")).toBeUndefined();
});

it("ends no admin's session while dozens of attackers log out", async () => {
  const [admin, known] = [await newcomer(), await signIn()];
  await forge((visitor) => visitor.post("/logout", {}, newClient()));
  const kept = await admin.post("/logout", {}, newClient());
  expect([kept.status, admin.cookie("admin-session") !== undefined]).toEqual([429, true]);
  expect((await admin.get("/admin", newClient())).status).toBe(200);
  expect((await known.post("/logout", {}, newClient())).status).toBe(303);
});

it("makes an admin wait during many forged sessions, and keeps the session", async () => {
  const admin = await newcomer();
  await forge((visitor) => visitor.get("/admin", newClient()));
  const { status, headers, html } = await admin.get("/admin", newClient());
  expect([status, headers.get("retry-after")]).toEqual([429, "60"]);
  expect(readText(html)).toContain("Too many requests");
  expect(admin.cookie("admin-session")).toBeDefined();
});
