import { beforeAll, beforeEach, expect, it } from "vitest";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { startSite } from "../../support/site";
import { Visitor, leadsTo, readText } from "../../support/visitor";
import { choose, consentForm, hasBanner, readDecision } from "../support/consent";
import { startConsentBackend } from "../support/consent-backend";

const open = "/about?cookie-preferences=open";
const title = "Our record of your choices";
const userAgent = "Mozilla/5.0 (Own) Test/1.0";
let product: RunningSite;
let visitor: Visitor;

beforeAll(async () => {
  product = await shareSite();
});
beforeEach(() => {
  visitor = new Visitor(product.url);
});

it("whoever chose sees the record and its history in the preferences, without JavaScript", async () => {
  await visitor.post("/consent", consentForm("accept"), { "User-Agent": userAgent });
  await visitor.post("/consent", consentForm("reject"), { "User-Agent": userAgent });
  const { recordId, textHash } = readDecision(visitor)!;
  const text = readText((await visitor.get(open)).html);
  for (const kept of [title, recordId!, userAgent, textHash]) expect(text).toContain(kept);
  expect(text).toMatch(/in the banner: analytics allowed, marketing allowed\..*in the banner: analytics not allowed/s);
});

it("deletes it when they say so, and the choice with it", async () => {
  await choose(visitor, "accept");
  const before = visitor.cookie("cookie-consent")!;
  visitor.setCookie("_ga", "GA1.1.1.1");
  const answer = await visitor.post("/consent", consentForm("erase", { text: "" }));
  expect(leadsTo(answer)).toBe("/about");
  for (const name of ["cookie-consent", "session-id", "_ga"]) expect(visitor.cookie(name), name).toBeUndefined();
  const { html } = await visitor.follow(answer);
  expect(readText(html)).toContain("Record deleted");
  expect(hasBanner(html)).toBe(true);

  const restored = new Visitor(product.url);
  restored.setCookie("cookie-consent", before);
  expect(readText((await restored.get(open)).html)).not.toContain(title);
});

it("shows none to whoever has none: nothing chosen, a signal, a page that is no preferences", async () => {
  expect(readText((await visitor.get(open)).html)).not.toContain(title);
  for (const path of [open, open, open])
    expect(readText((await visitor.get(path, { "Sec-GPC": "1" })).html)).not.toContain(title);
  const chose = new Visitor(product.url);
  await choose(chose, "accept");
  expect(readText((await chose.get("/about")).html)).not.toContain(title);
});

it("says so where it cannot be shown or deleted, and then keeps the choice", async () => {
  const backend = await startConsentBackend();
  const away = await startSite(backend.settings);
  try {
    const here = new Visitor(away.url);
    await choose(here, "reject");
    const text = readText((await here.get(open)).html);
    expect(text).toContain("We cannot show it right now.");
    const chosen = here.cookie("cookie-consent");
    const answer = await here.post("/consent", consentForm("erase", { text: "" }));
    expect(here.cookie("cookie-consent")).toBe(chosen);
    expect(readText((await here.follow(answer)).html)).toContain("Your record could not be deleted");
  } finally {
    await away.stop();
    await backend.close();
  }
});
