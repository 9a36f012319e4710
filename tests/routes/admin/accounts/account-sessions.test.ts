import { expect, it } from "vitest";
import { startSite, testAdmin } from "../../../support/site";
import { type Visitor, leadsTo, readText } from "../../../support/visitor";
import { expectPage } from "../support/pages";
import { openWorld } from "../support/world";

const world = openWorld(startSite);
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0";

async function signInWith(userAgent: string, visitor = world.visitor()): Promise<Visitor> {
  await visitor.post("/login", testAdmin, { "User-Agent": userAgent });
  return visitor;
}

const readAccount = async (visitor: Visitor) => (await visitor.get("/admin/account")).html;
const opensInbox = async (visitor: Visitor) => (await visitor.get("/admin")).status === 200;
const endable = (html: string) => [...html.matchAll(/name="session" value="([^"]+)"/g)].map(([, id = ""]) => id);

it("lists each sign-in, and a new device only once", async () => {
  const admin = await signInWith(firefox);
  await admin.post("/logout", {});
  await signInWith(firefox, admin);
  expect(readText(await readAccount(admin))).toMatch(
    /Signed in: Firefox on Linux .+ UTC Signed in on a new device: Firefox on Linux .+ UTC/,
  );
});

it("names the browser of each session in plain words, and shows nothing else of its user agent", async () => {
  const desk = await signInWith(firefox);
  await signInWith("Mozilla/5.0 <b>Own</b> Browser");
  const html = await readAccount(desk);
  expect(readText(html)).toMatch(/Firefox on Linux Signed in [A-Z][a-z]{2} \d+, .+ UTC, last used .+ UTC This session/);
  expect(readText(html)).toContain("Unknown browser Signed in");
  expect(html).not.toMatch(/Mozilla|Own/);
});

it("ends all other sessions, and then offers nothing more to end", async () => {
  const [desk, other] = [await signInWith(firefox), await signInWith("Other")];
  const page = await desk.postAndFollow("/admin/account", { intent: "end-other-sessions" });
  expectPage(page, 200, "Other sessions ended You are now signed in only here.");
  expect(readText(page.html)).not.toContain("End all other sessions");
  expect(endable(page.html)).toEqual([]);
  expect([await opensInbox(desk), await opensInbox(other)]).toEqual([true, false]);
});

it("ends one session, whose next click leads to sign-in", async () => {
  const [desk, stays, goes] = [await signInWith(firefox), await signInWith("Stays"), await signInWith("Goes")];
  const ownIds = endable(await readAccount(goes));
  const gone = endable(await readAccount(stays)).find((id) => !ownIds.includes(id)) ?? "";
  const page = await desk.postAndFollow("/admin/account", { intent: "end-session", session: gone });
  expectPage(page, 200, "Session ended That device must sign in again.");
  expect([await opensInbox(desk), await opensInbox(stays)]).toEqual([true, true]);
  expect(leadsTo(await goes.get("/admin"))).toBe("/login");
});
