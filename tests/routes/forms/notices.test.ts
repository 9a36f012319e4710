import { describe, expect, it } from "vitest";
import { filledDataRightsForm, readRequestLinks } from "../../support/data-rights";
import { tokenOf } from "../../support/network-links";
import { findTag } from "../../support/page-source";
import { testAdmin } from "../../support/product";
import { type Answer, filledContactForm, noticeOf, readText } from "../../support/visitor";
import { consentForm } from "../support/consent";
import { signInAdmin, useSharedSite } from "../support/world";

const site = useSharedSite();

const follow = async (answer: Answer) => (await site.follow(answer)).html;

describe("a browser without cookies sees a notice", () => {
  it("after a sign-in that cannot work", async () => {
    const signedIn = await site.post("/login", testAdmin);
    expect(noticeOf(signedIn)).toBe("loginSucceeded");
    const redirected = await site.follow(signedIn);
    expect(readText(await follow(redirected))).toContain(
      "You are not signed in Your browser did not save the sign-in cookie. Allow cookies for this site",
    );
    // Without that address it is an unauthenticated visitor like any other.
    expect(readText(await follow(await site.get("/admin")))).toContain("Authentication required");
  });

  it.each([
    ["accept", "Saved Your choice about cookies"],
    ["save", "Saved Your choice about cookies"],
    ["close", "No choice saved"],
  ])("that its decision %s was not stored, while one with cookies sees “%s”", async (choice, words) => {
    const form = consentForm(choice);
    const html = await follow(await site.post("/consent", form));
    expect(readText(html)).toContain("Your choice was not saved");
    expect(findTag(html, "input", { name: "page" })?.attributes.value).toBe("/about");
    const visitor = site.visitor();
    expect(readText((await visitor.follow(await visitor.post("/consent", form))).html)).toContain(words);
  });
});

describe("a page with a notice", () => {
  it("repeats it after a reload, and omits it from its canonical URL, its forms and a form with mistakes", async () => {
    const sent = await site.post("/contact", { ...filledContactForm, message: "Reload this" });
    for (let time = 0; time < 2; time += 1) {
      const { html, headers } = await site.follow(sent);
      expect(readText(html)).toContain("Message Sent!");
      expect(findTag(html, "link", { rel: "canonical" })?.attributes.href).toMatch(/\/contact$/);
      expect(html).not.toMatch(/(?:href|action|value)="[^"]*notice=/);
      expect(headers.getSetCookie()).toEqual([]);
    }
    const mistaken = await site.post("/contact", { ...filledContactForm, email: "" });
    expect(readText(mistaken.html)).not.toContain("Message Sent!");
  });

  it("says less to a visitor who got its address from someone else, even before the form's own page", async () => {
    const sent = await site.post("/contact", { ...filledContactForm, message: "Pass this on" });
    const stranger = { "Sec-Fetch-Site": "cross-site" };
    const { html } = await site.get(sent.headers.get("location") ?? "", stranger);
    expect(readText(html)).not.toMatch(/Message Sent!|We'll get back|Thank you/);
    expect(readText(html)).toContain("Did you just send a form here? If so, we received it");
    expect(findTag(html, "textarea", { name: "message" })).toBeDefined();
    const loggedOut = (await site.post("/logout", {})).headers.get("location") ?? "";
    expect((await site.get(loggedOut, stranger)).html).not.toContain("data-notice");
  });

  it("shows none that its state contradicts, and none above a page about a link that does not work", async () => {
    const form = { ...filledDataRightsForm, email: "contradicted@people.example" };
    await site.post("/data-rights", form);
    const { confirm, status } = await readRequestLinks(site.dataDir, form.email);
    const confirmed = await site.post("/data-rights/confirm", { token: tokenOf(confirm) });
    expect(readText(await follow(confirmed))).toContain("Request confirmed");
    const withdrawn = await site.post("/data-rights/status", { token: tokenOf(status) });
    const again = readText(await follow(confirmed));
    expect(again).toContain("Withdrawn");
    expect(again).not.toContain("Request confirmed");
    const elsewhere = (withdrawn.headers.get("location") ?? "").replace(tokenOf(status), "x".repeat(43));
    const gone = await site.get(elsewhere, { "Sec-Fetch-Site": "same-origin" });
    expect([gone.status, gone.html.includes("data-notice")]).toEqual([404, false]);
  });

  it("does not tell people who are signed in that they logged out", async () => {
    const loggedOut = await (await signInAdmin(site)).post("/logout", {});
    expect(readText(await follow(loggedOut))).toContain("Logged out");
    expect((await (await signInAdmin(site)).follow(loggedOut)).html).not.toContain("data-notice");
  });
});
