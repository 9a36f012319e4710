import { beforeAll, describe, expect, it } from "vitest";
import { filledDataRightsForm, readRequestLinks } from "../../support/data-rights";
import { findTag } from "../../support/page-source";
import { type RunningSite, testAdmin } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { type Answer, Visitor, filledContactForm, noticeOf, readText } from "../../support/visitor";
import { consentForm } from "../support/consent";

let product: RunningSite;

beforeAll(async () => {
  product = await shareSite();
});

/** A browser that keeps no cookie. */
const post = (path: string, fields: Record<string, string>) => new Visitor(product.url).post(path, fields);

/** The page that an answer leads to, in a browser without cookies, after another page, a missing one and one in another tab. */
async function readNext(answer: Answer): Promise<string> {
  const visitor = new Visitor(product.url);
  for (const path of ["/about", "/apple-touch-icon-precomposed.png", "/login", "/contact"]) await visitor.get(path);
  return readText((await new Visitor(product.url).follow(answer)).html);
}

describe("a browser without cookies is told what happened", () => {
  it.each([
    ["/contact", "Message Sent! We'll get back to you within 24 hours."],
    ["/contact?about=investors", "Message Sent! We'll get back to you within 24 hours."],
  ])("a message by %s", async (path, words) => {
    const answer = await post(path, { ...filledContactForm, message: `By ${path}` });
    expect(await readNext(answer)).toContain(words);
    const [, query = ""] = path.split("?");
    expect(answer.headers.get("location")).toMatch(new RegExp(`^/contact\\?${query}&?notice=`));
  });

  it("a data rights request, its confirmation and its withdrawal, and a complaint", async () => {
    const form = { ...filledDataRightsForm, email: "no-cookies@people.example" };
    expect(await readNext(await post("/data-rights", form))).toContain(
      "Request Submitted We've received your data rights request. We'll respond within 30 days as required by GDPR.",
    );
    const complaint = { ...form, email: "no-cookies-either@people.example", requestType: "complaint" };
    expect(await readNext(await post("/data-rights", complaint))).toContain("Complaint received");
    const { confirm, status } = await readRequestLinks(product.dataDir, form.email);
    const send = (link: string, fields = {}) => {
      const { pathname, searchParams } = new URL(link, product.url);
      return post(pathname, { token: searchParams.get("token") ?? "", ...fields });
    };
    expect(await readNext(await send(confirm))).toContain("Request confirmed");
    expect(await readNext(await send(status))).toContain("Request withdrawn");
    expect(await readNext(await send(status))).toContain("Nothing to withdraw");
  });

  it("a forgotten password, signing out, and signing in, which cannot work", async () => {
    expect(await readNext(await post("/login/forgotten", { email: "nobody@people.example" }))).toContain(
      "Check your email",
    );
    expect(await readNext(await post("/logout", {}))).toContain("Logged out You have been successfully logged out");
    const signedIn = await post("/login", testAdmin);
    expect(noticeOf(signedIn)).toBe("loginSucceeded");
    const sentAway = await new Visitor(product.url).follow(signedIn);
    expect(await readNext(sentAway)).toContain(
      "You are not signed in Your browser did not save the sign-in cookie. Allow cookies for this site",
    );
    // Without that address it is a stranger like any other.
    expect(await readNext(await new Visitor(product.url).get("/admin"))).toContain("Authentication required");
  });

  it("a choice about cookies: that it was not kept; with cookies, that it was", async () => {
    for (const choice of ["accept", "reject", "save", "close"] as const) {
      const form = consentForm(choice, { source: choice === "save" ? "dialog" : "banner" });
      const answer = await post("/consent", form);
      const { html } = await new Visitor(product.url).follow(answer);
      expect(readText(html), choice).toContain("Your choice was not kept");
      expect(findTag(html, "input", { name: "page" })?.attributes.value).toBe("/about");
      const visitor = new Visitor(product.url);
      const kept = readText((await visitor.follow(await visitor.post("/consent", form))).html);
      expect(kept, choice).toContain(choice === "close" ? "No choice saved" : "Saved Your choice about cookies");
    }
  });
});

describe("the page that tells it", () => {
  it("tells it again when it is reloaded, names itself without the message, and posts without it", async () => {
    const visitor = new Visitor(product.url);
    const sent = await visitor.post("/contact", { ...filledContactForm, message: "Reload this" });
    for (let time = 0; time < 2; time += 1) {
      const page = await visitor.follow(sent);
      expect(readText(page.html)).toContain("Message Sent!");
      expect(findTag(page.html, "link", { rel: "canonical" })?.attributes.href).toMatch(/\/contact$/);
      expect(page.html).not.toMatch(/(?:href|action|value)="[^"]*notice=/);
      expect(page.headers.getSetCookie()).toEqual([]);
    }
    const mistaken = await visitor.post("/contact", { ...filledContactForm, email: "" });
    expect(readText(mistaken.html)).not.toContain("Message Sent!");
  });

  it("says nothing that a stranger wrote into an address", async () => {
    const told =
      (await post("/contact", { ...filledContactForm, message: "Forge this" })).headers.get("location") ?? "";
    const [, token = ""] = told.split("notice=");
    for (const path of [
      "/contact?notice=contactSent",
      `/data-rights?notice=${token}`,
      `/contact?notice=${token.replace("contactSent", "dataRightsSent")}`,
      `/contact?notice=${token.slice(0, -1)}`,
      "/login?notice=passwordRenewed",
    ]) {
      const { status, html } = await new Visitor(product.url).get(path);
      expect([status, /data-notice/.test(html)], path).toEqual([200, false]);
    }
  });
});
