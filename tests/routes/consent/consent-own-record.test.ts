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

it("shows a visitor's record and history in the preferences, without JavaScript", async () => {
  await visitor.post("/consent", consentForm("accept"), { "User-Agent": userAgent });
  await visitor.post("/consent", consentForm("reject"), { "User-Agent": userAgent });
  const { recordId, textHash } = readDecision(visitor)!;
  const text = readText((await visitor.get(open)).html);
  for (const kept of [title, recordId!, userAgent, textHash]) expect(text).toContain(kept);
  expect(text).toMatch(/in the banner: analytics allowed, marketing allowed\..*in the banner: analytics not allowed/s);
});

it("deletes the record and the decision at the visitor's request", async () => {
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

it("shows no record without a decision, for a signal, and outside the preferences", async () => {
  expect(readText((await visitor.get(open)).html)).not.toContain(title);
  for (const path of [open, open, open])
    expect(readText((await visitor.get(path, { "Sec-GPC": "1" })).html)).not.toContain(title);
  const chose = new Visitor(product.url);
  await choose(chose, "accept");
  expect(readText((await chose.get("/about")).html)).not.toContain(title);
});

it("reports that the record cannot be shown or deleted, and then keeps the decision", async () => {
  const backend = await startConsentBackend();
  const failing = await startSite(backend.settings);
  try {
    const affected = new Visitor(failing.url);
    await choose(affected, "reject");
    const text = readText((await affected.get(open)).html);
    expect(text).toContain("We cannot show it right now.");
    const chosen = affected.cookie("cookie-consent");
    const answer = await affected.post("/consent", consentForm("erase", { text: "" }));
    expect(affected.cookie("cookie-consent")).toBe(chosen);
    expect(readText((await affected.follow(answer)).html)).toContain("Your record could not be deleted");
  } finally {
    await failing.stop();
    await backend.close();
  }
});
