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

/** Posts from a browser that stores no cookies. */
const post = (path: string, fields: Record<string, string>) => new Visitor(product.url).post(path, fields);

/** Opens the page that a response redirects to, without cookies, after other pages, a missing page and another tab. */
async function readNext(answer: Answer): Promise<string> {
  const visitor = new Visitor(product.url);
  for (const path of ["/about", "/apple-touch-icon-precomposed.png", "/login", "/contact"]) await visitor.get(path);
  return readText((await new Visitor(product.url).follow(answer)).html);
}

describe("a browser without cookies sees a notice", () => {
  it.each([
    ["/contact", "Message Sent! We'll get back to you within 24 hours."],
    ["/contact?about=investors", "Message Sent! We'll get back to you within 24 hours."],
  ])("after a message through %s", async (path, words) => {
    const answer = await post(path, { ...filledContactForm, message: `By ${path}` });
    expect(await readNext(answer)).toContain(words);
    const [, query = ""] = path.split("?");
    expect(answer.headers.get("location")).toMatch(new RegExp(`^/contact\\?${query}&?notice=`));
  });

  it("after a data rights request, its confirmation and withdrawal, and a complaint", async () => {
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

  it("after a forgotten password, logout, and a sign-in that cannot work", async () => {
    expect(await readNext(await post("/login/forgotten", { email: "nobody@people.example" }))).toContain(
      "Check your email",
    );
    expect(await readNext(await post("/logout", {}))).toContain("Logged out You have been successfully logged out");
    const signedIn = await post("/login", testAdmin);
    expect(noticeOf(signedIn)).toBe("loginSucceeded");
    const redirected = await new Visitor(product.url).follow(signedIn);
    expect(await readNext(redirected)).toContain(
      "You are not signed in Your browser did not save the sign-in cookie. Allow cookies for this site",
    );
    // Without that address it is an unauthenticated visitor like any other.
    expect(await readNext(await new Visitor(product.url).get("/admin"))).toContain("Authentication required");
  });

  it("that its cookie decision was not stored, while one with cookies sees that it was", async () => {
    for (const choice of ["accept", "reject", "save", "close"] as const) {
      const form = consentForm(choice, { source: choice === "save" ? "dialog" : "banner" });
      const answer = await post("/consent", form);
      const { html } = await new Visitor(product.url).follow(answer);
      expect(readText(html), choice).toContain("Your choice was not saved");
      expect(findTag(html, "input", { name: "page" })?.attributes.value).toBe("/about");
      const visitor = new Visitor(product.url);
      const kept = readText((await visitor.follow(await visitor.post("/consent", form))).html);
      expect(kept, choice).toContain(choice === "close" ? "No choice saved" : "Saved Your choice about cookies");
    }
  });
});

describe("a page with a notice", () => {
  it("repeats it after a reload, and omits it from its canonical URL and forms", async () => {
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

  it("says less to a visitor who got its address from someone else, even before the form's own page", async () => {
    const sent = await post("/contact", { ...filledContactForm, message: "Pass this on" });
    const location = sent.headers.get("location") ?? "";
    for (const from of ["none", "cross-site"]) {
      const { html } = await new Visitor(product.url).get(location, { "Sec-Fetch-Site": from });
      expect(readText(html)).not.toMatch(/Message Sent!|We'll get back|Thank you/);
      expect(readText(html)).toContain("Did you just send a form here? If so, we received it");
      expect(findTag(html, "textarea", { name: "message" })).toBeDefined();
    }
    const loggedOut = (await post("/logout", {})).headers.get("location") ?? "";
    const stranger = await new Visitor(product.url).get(loggedOut, { "Sec-Fetch-Site": "cross-site" });
    expect(stranger.html.includes("data-notice")).toBe(false);
  });

  it("shows none that its state contradicts, and none above a page about a link that does not work", async () => {
    const form = { ...filledDataRightsForm, email: "contradicted@people.example" };
    await post("/data-rights", form);
    const { confirm, status } = await readRequestLinks(product.dataDir, form.email);
    const tokenOf = (link: string) => new URL(link, product.url).searchParams.get("token") ?? "";
    const confirmed = await post("/data-rights/confirm", { token: tokenOf(confirm) });
    expect(readText((await new Visitor(product.url).follow(confirmed)).html)).toContain("Request confirmed");
    const withdrawn = await post("/data-rights/status", { token: tokenOf(status) });
    const again = await new Visitor(product.url).follow(confirmed);
    expect(readText(again.html)).toContain("Withdrawn");
    expect(readText(again.html)).not.toContain("Request confirmed");
    const elsewhere = (withdrawn.headers.get("location") ?? "").replace(tokenOf(status), "x".repeat(43));
    const gone = await new Visitor(product.url).get(elsewhere, { "Sec-Fetch-Site": "same-origin" });
    expect([gone.status, gone.html.includes("data-notice")]).toEqual([404, false]);
  });

  it("does not tell people who are signed in that they logged out", async () => {
    const visitor = new Visitor(product.url);
    await visitor.signIn();
    const loggedOut = await visitor.post("/logout", {});
    expect(readText((await visitor.follow(loggedOut)).html)).toContain("Logged out");
    await visitor.signIn();
    expect((await visitor.follow(loggedOut)).html.includes("data-notice")).toBe(false);
  });

  it("shows no notice that an attacker wrote into its URL", async () => {
    const location =
      (await post("/contact", { ...filledContactForm, message: "Forge this" })).headers.get("location") ?? "";
    const [, token = ""] = location.split("notice=");
    for (const path of [
      "/contact?notice=contactSent",
      `/data-rights?notice=${token}`,
      `/contact?notice=${token.replace("contactSent", "dataRightsSent")}`,
      `/contact?notice=${token.slice(0, -1)}`,
      "/login?notice=passwordRenewed",
    ]) {
      const { status, html } = await new Visitor(product.url).get(path, { "Sec-Fetch-Site": "same-origin" });
      expect([status, /data-notice/.test(html)], path).toEqual([200, false]);
    }
  });
});
