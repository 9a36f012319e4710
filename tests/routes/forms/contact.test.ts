import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createLegalDocuments } from "~/features/legal/legal-documents.server";
import { formatReplyTime } from "~/lib/reply-time";
import { parseSettings } from "~/server/config/settings.server";
import { withDatabaseOf } from "../../support/find-text";
import { readMailsTo, waitForMail } from "../../support/data-rights";
import { tokenOf } from "../../support/network-links";
import { findTags, readTexts, readTitles } from "../../support/page-source";
import { type Answer, Visitor, filledContactForm, readText } from "../../support/visitor";
import { openSite, signInAdmin, useSharedSite } from "../support/world";

const site = useSharedSite();
const send = (fields: Partial<typeof filledContactForm> & Record<string, string> = {}) =>
  site.post("/contact", { ...filledContactForm, ...fields });

/** Reads the inbox, newest first, because other tests write here too. */
async function readInbox(filter = "all"): Promise<string> {
  return readText((await (await signInAdmin(site)).get(`/admin?filter=${filter}`)).html);
}

describe("the contact form without JavaScript", () => {
  it("accepts a message, confirms it on the next page only, and shows it to the admin", async () => {
    const next = await site.follow(await send());
    expect(next.status).toBe(200);
    expect(readText(next.html)).toContain("Message Sent! We'll get back to you within 24 hours.");
    expect(readText((await site.get("/contact")).html)).not.toContain("Message Sent!");
    const inbox = await readInbox();
    for (const value of [filledContactForm.name, filledContactForm.company, "We run nine clinics. Can we talk?"])
      expect(inbox).toContain(value);
  });

  it("stores the same form once when it is sent twice", async () => {
    const sent = await Promise.all([1, 2, 3].map(() => send({ name: "Twice Sender" })));
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await readInbox()).split("Twice Sender")).toHaveLength(2);
  });

  // The field's current name, and its earlier one on pages that are still open.
  it.each(["topic", "honeypot"])("confirms and quarantines a message with a filled honeypot (%s)", async (field) => {
    const name = `Autofill Victim ${field}`;
    const next = await site.follow(await send({ name, [field]: "https://spam.example" }));
    expect(readText(next.html)).toContain("Message Sent!");
    expect(next.html).not.toContain("spam.example");
    expect(await readInbox("quarantined")).toMatch(new RegExp(`Held back \\(\\d+\\).*${name}`));
  });

  it("marks the hidden field so that no browser or password manager fills it in", async () => {
    for (const page of ["/contact", "/data-rights"]) {
      const { html } = await site.get(page);
      expect(html).not.toMatch(/name="honeypot"/);
      const [trap = ""] = /<input name="topic"[^>]*>/.exec(html) ?? [];
      for (const mark of ['tabindex="-1"', 'autocomplete="off"', "data-1p-ignore", "data-lpignore", "data-bwignore"])
        expect(trap.toLowerCase()).toContain(mark);
      expect(trap).toContain('data-form-type="other"');
      expect(html).toMatch(/<div class="trap" aria-hidden="true">/);
    }
  });

  it("emails the message to the firm with a link to mark it as answered, and an acknowledgement to the visitor", async () => {
    await send({ email: "reader@harbor.example", goal: "Unique goal" });
    await expect.poll(() => readMailsTo(site.dataDir, "reader@harbor.example")).toHaveLength(1);
    const { match } = await waitForMail(site.dataDir, "admin@firm.example", /Unique goal[^]*\/answered\?token=[\w-]+/);
    const link = match.slice(match.lastIndexOf("/answered"));
    expect(site.output()).toContain("no mail server is set");
    const readTitle = async () => readTitles((await site.get(link)).html);
    expect(await readTitle()).toEqual(["Have you answered this message?"]);
    await site.post("/answered", { token: tokenOf(link) });
    expect(await readTitle()).toEqual(["This message is marked as answered"]);
  });
});

/** Reads the time of the redirect from the notice in its address. */
function readSentAt({ headers }: Answer): Date {
  const [, time = ""] = /notice=contactSent\.(\w+)\./.exec(headers.get("location") ?? "") ?? [];
  return new Date(parseInt(time, 36) * 1000);
}

const dayMs = 24 * 60 * 60 * 1000;
const readHeading = ({ html }: Answer) => readTexts(html, "h1").map((text) => text.replaceAll("\u00a0", " "));

describe("after a message was sent, the page", () => {
  it("says in its heading by when the firm writes in its time zone, and repeats that after a reload", async () => {
    const inNewYork = await openSite({ TIME_ZONE: "America/New_York" });
    const visitor = new Visitor(inNewYork.url);
    const sent = await visitor.post("/contact", filledContactForm);
    const sentAt = readSentAt(sent);
    const due = formatReplyTime(new Date(sentAt.getTime() + dayMs), sentAt, "America/New_York");
    for (let visit = 0; visit < 2; visit += 1) {
      const page = await visitor.follow(sent);
      expect(readHeading(page)).toEqual([expect.stringContaining(due.replaceAll("\u00a0", " "))]);
      expect(readHeading(page)[0]).not.toContain("[");
    }
    expect(due).toMatch(/E[DS]T/);
  });

  it.each([
    ["?from=home", "/"],
    ["?about=investors", "/investors"],
    ["?from=nowhere", "/about"],
  ])("offers one way on: the page whose link led to /contact%s", async (query, page) => {
    const headers = { Referer: `${site.url}/contact${query}` };
    const form = { ...filledContactForm, message: `From ${query}` };
    const { html } = await site.follow(await site.post("/contact", form, headers));
    const main = html.slice(html.indexOf("<h1"), html.indexOf("<details", html.indexOf("<h1")));
    const links = findTags(main, "a").map(({ attributes }) => attributes.href ?? "");
    expect(links.filter((href) => !href.startsWith("mailto:"))).toEqual([page]);
  });
});

it("stores a message with the time, the policy's version and the text that its sender agreed to", async () => {
  const own = await openSite({}, { own: true });
  const visitor = new Visitor(own.url);
  const page = readText((await visitor.get("/contact")).html);
  expect((await visitor.post("/contact", filledContactForm)).status).toBe(303);
  await own.stop();
  const rows = await withDatabaseOf(own.dataDir, (sql) =>
    sql<{ hash: string }>(
      `select consented_at = created_at as at_once, consent_policy_version as version, consent_text_hash as hash
       from public.contact_submissions`,
    ),
  );
  const { version } = createLegalDocuments({ settings: parseSettings({}) })["/privacy-policy"];
  expect(rows).toEqual([{ at_once: true, version, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  const words = readFileSync(`app/content/consent-texts/${rows[0]?.hash}.json`, "utf8");
  expect(page).toContain((JSON.parse(words) as { contactForm: string }).contactForm);
});
