import { beforeAll, describe, expect, it } from "vitest";
import type { RunningSite } from "../../../support/product";
import { shareSite } from "../../../support/shared-site";
import { testAdmin } from "../../../support/site";
import { Visitor, leadsTo, readText } from "../../../support/visitor";

let product: RunningSite;

beforeAll(async () => {
  product = await shareSite();
});

async function signInWith(userAgent: string): Promise<Visitor> {
  const visitor = new Visitor(product.url);
  await visitor.post("/login", testAdmin, { "User-Agent": userAgent });
  return visitor;
}

async function opensInbox(visitor: Visitor): Promise<boolean> {
  return (await visitor.get("/admin")).status === 200;
}

const endable = (html: string) => [...html.matchAll(/name="session" value="([^"]+)"/g)].map(([, id]) => id ?? "");

describe("the sessions on the account page", () => {
  const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0";

  it("show each browser in plain words, and nothing else of what it says of itself", async () => {
    const desk = await signInWith(firefox);
    await signInWith("Mozilla/5.0 <b>Own</b> Browser");
    const { html } = await desk.get("/admin/account");
    const text = readText(html);
    expect(text).toMatch(/Firefox on Windows Signed in [A-Z][a-z]{2} \d+, .+ UTC, last used .+ UTC This session/);
    expect(text).toContain("Unknown browser Signed in");
    expect(html).not.toMatch(/Mozilla|Own/);
  });

  it("end one: the next click there asks to sign in, however fresh its token", async () => {
    const [desk, phone, tablet] = [await signInWith(firefox), await signInWith("Phone"), await signInWith("Tablet")];
    await desk.post("/admin/account", { intent: "end-other-sessions" });
    expect([await opensInbox(desk), await opensInbox(phone), await opensInbox(tablet)]).toEqual([true, false, false]);
    const [stays, goes] = [await signInWith("Stays"), await signInWith("Goes")];
    const own = endable((await stays.get("/admin/account")).html);
    const ids = endable((await goes.get("/admin/account")).html);
    expect([own.length, ids.length]).toEqual([2, 2]);
    const gone = own.find((id) => !ids.includes(id)) ?? "";
    const page = await desk.postAndFollow("/admin/account", { intent: "end-session", session: gone });
    expect(readText(page.html)).toContain("Session ended That device must sign in again.");
    expect([await opensInbox(desk), await opensInbox(stays), await opensInbox(goes)]).toEqual([true, true, false]);
    expect(leadsTo(await goes.get("/admin"))).toBe("/login");
  });

  it("end all others, and then offer nothing more to end", async () => {
    const [desk, other] = [await signInWith(firefox), await signInWith("Other")];
    const page = await desk.postAndFollow("/admin/account", { intent: "end-other-sessions" });
    expect(readText(page.html)).toContain("Other sessions ended You are now signed in only here.");
    expect(page.html).not.toContain("end-session");
    expect(readText(page.html)).not.toContain("End all other sessions");
    expect([await opensInbox(desk), await opensInbox(other)]).toEqual([true, false]);
  });
});
