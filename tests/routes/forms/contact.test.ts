import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";

let product: RunningSite;

beforeAll(async () => {
  product = await shareSite();
});

/** Reads the inbox, newest first, because other tests write here too. */
async function readInbox(filter = "all"): Promise<string> {
  const admin = new Visitor(product.url);
  await admin.signIn();
  return readText((await admin.get(`/admin?filter=${filter}`)).html);
}

describe("the contact form without JavaScript", () => {
  it("accepts a message, confirms it once on the next page, and shows it to the admin", async () => {
    const visitor = new Visitor(product.url);
    const next = await visitor.postAndFollow("/contact", filledContactForm);
    expect(next.status).toBe(200);
    expect(readText(next.html)).toContain("Message Sent! We'll get back to you within 24 hours.");
    expect(readText((await visitor.get("/contact")).html)).not.toContain("Message Sent!");

    const inbox = await readInbox();
    for (const value of [filledContactForm.name, filledContactForm.company, "We run nine clinics. Can we talk?"]) {
      expect(inbox).toContain(value);
    }
  });

  it("names each error, links it to its field, keeps every value and marks the title", async () => {
    const visitor = new Visitor(product.url);
    const { status, html } = await visitor.post("/contact", {
      ...filledContactForm,
      name: "",
      email: "not an address",
      message: `Kept <b>text</b> & "quotes"`,
      privacyConsent: "",
    });
    expect(status).toBe(400);
    expect(html).toMatch(/<title>Error: /);
    const text = readText(html);
    expect(text).toContain("There is a problem");
    for (const [id, mistake] of [
      ["contact-name", "Enter your name"],
      ["contact-email", "Enter an email address in the correct format, like name@example.com"],
      ["contact-privacyConsent", "Check the box to agree to the privacy policy"],
    ]) {
      expect(text).toContain(mistake);
      expect(html).toContain(`href="#${id}"`);
      expect(html).toContain(`id="${id}"`);
    }
    expect(html).toContain('value="not an address"');
    expect(html).toContain("Kept &lt;b&gt;text&lt;/b&gt; &amp; &quot;quotes&quot;</textarea>");
    expect(html).toContain(`value="${filledContactForm.company}"`);
  });

  it("keeps the consent checked after another error", async () => {
    const { html } = await new Visitor(product.url).post("/contact", { ...filledContactForm, goal: "" });
    expect(html).toMatch(/<input[^>]*name="privacyConsent"[^>]*checked=""/);
  });

  it.each([
    ["name", 100],
    ["email", 255],
    ["company", 200],
    ["stage", 100],
    ["goal", 200],
    ["message", 5000],
  ])("accepts %s up to its limit and refuses one character more", async (field, limit) => {
    const visitor = new Visitor(product.url);
    const longest =
      field === "email" ? `${"a".repeat(limit - "@harbor.example".length)}@harbor.example` : "é".repeat(limit);
    expect((await visitor.post("/contact", { ...filledContactForm, [field]: longest })).status).toBe(303);
    const tooLong = await visitor.post("/contact", { ...filledContactForm, [field]: `é${longest}` });
    expect(tooLong.status).toBe(400);
    expect(readText(tooLong.html)).toMatch(/Shorten your [a-z ]+ by 1 character\./);
  });

  it("counts line breaks like the page: 5000 characters fit with any line ending", async () => {
    const message = `${"line\r\n".repeat(999)}12345`;
    const visitor = new Visitor(product.url);
    expect((await visitor.post("/contact", { ...filledContactForm, message })).status).toBe(303);
  });

  it("stores the same form once when it is sent twice", async () => {
    const form = { ...filledContactForm, name: "Twice Sender" };
    const visitor = new Visitor(product.url);
    const answers = await Promise.all([1, 2, 3].map(() => visitor.post("/contact", form)));
    expect(answers.map((answer) => answer.status)).toEqual([303, 303, 303]);
    expect((await readInbox()).split("Twice Sender")).toHaveLength(2);
  });

  // The field's current name, and its earlier one on pages that are still open.
  it.each(["topic", "honeypot"])(
    "responds to a filled honeypot as to a success and quarantines the message (%s)",
    async (field) => {
      const visitor = new Visitor(product.url);
      const email = `victim-${field}@harbor.example`;
      const form = { ...filledContactForm, name: `Autofill Victim ${field}`, email };
      const next = await visitor.postAndFollow("/contact", { ...form, [field]: "https://spam.example" });
      expect(readText(next.html)).toContain("Message Sent!");
      expect(next.html).not.toContain("spam.example");
      expect(await readInbox("quarantined")).toMatch(new RegExp(`Held back \\(\\d+\\).*Autofill Victim ${field}`));
      await expect.poll(readMails).toContain(`Held back: message from Autofill Victim ${field}`);
      const toVisitor = new RegExp(`^To: ${email}`, "m");
      expect(await readMails()).not.toMatch(toVisitor);

      await visitor.postAndFollow("/contact", form);
      await expect.poll(readMails).toMatch(toVisitor);
    },
  );

  it("marks the hidden field so that no browser or password manager fills it in", async () => {
    for (const page of ["/contact", "/data-rights"]) {
      const { html } = await new Visitor(product.url).get(page);
      expect(html).not.toMatch(/name="honeypot"/);
      const [trap = ""] = /<input name="topic"[^>]*>/.exec(html) ?? [];
      for (const mark of ['tabindex="-1"', 'autocomplete="off"', "data-1p-ignore", "data-lpignore", "data-bwignore"])
        expect(trap.toLowerCase()).toContain(mark);
      expect(trap).toContain('data-form-type="other"');
      expect(html).toMatch(/<div class="trap" aria-hidden="true">/);
    }
  });

  it("emails the message to the firm and an acknowledgement without quotes to the visitor", async () => {
    const visitor = new Visitor(product.url);
    const form = { ...filledContactForm, name: "Mail Reader", email: "reader@harbor.example", goal: "Unique goal" };
    await visitor.postAndFollow("/contact", form);
    // Emails are written one after the other, a file each; both name the visitor.
    const countMails = async () =>
      (await readMailFiles()).filter((mail) => mail.includes("reader@harbor.example")).length;
    await expect.poll(countMails).toBe(2);
    const mails = await readMailFiles();
    const toFirm = mails.find((mail) => mail.includes("Unique goal"));
    expect(toFirm).toMatch(/^To: admin@firm\.example$/m);
    expect(toFirm).toMatch(/^Reply-To: .*reader@harbor\.example/m);
    const toVisitor = mails.find((mail) => /^To: reader@harbor\.example$/m.test(mail));
    expect(toVisitor).toBeDefined();
    expect(toVisitor).not.toContain("Mail Reader");
    expect(toVisitor).not.toContain("Unique goal");
    expect(product.output()).toContain("no mail server is set");
  });
});

async function readMailFiles(): Promise<string[]> {
  const folder = join(product.dataDir, "mail");
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.filter((name) => name.endsWith(".eml")).map((name) => readFile(join(folder, name), "utf8")));
}

async function readMails(): Promise<string> {
  return (await readMailFiles()).join("\n");
}
