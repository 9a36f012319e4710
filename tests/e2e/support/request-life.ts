import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, type Page, expect } from "playwright/test";
import type { DataRightsRequestType } from "#supabase/functions/_shared/data-rights-request";
import { type MailServer, startMailServer } from "../../functions/support/mail-server";
import { startProduct, testAdmin } from "../../support/product";
import { filledContactForm } from "../../support/visitor";
import { searchDatabase } from "./search-database";

/** A requester and an admin, both without scripts, with their own product and mail server. */
export class Life {
  private constructor(
    readonly requester: Page,
    readonly admin: Page,
    private readonly mail: MailServer,
    private readonly product: Awaited<ReturnType<typeof startProduct>>,
  ) {}

  static async begin(browser: Browser): Promise<Life> {
    const mail = await startMailServer();
    const product = await startProduct({
      SMTP_URL: mail.url,
      MAIL_FROM: "Firm <site@firm.example>",
      CONTACT_TO: "inbox@firm.example",
    });
    const options = { baseURL: product.url, javaScriptEnabled: false };
    const requester = await (await browser.newContext(options)).newPage();
    const admin = await (await browser.newContext(options)).newPage();
    await admin.goto("/login");
    await admin.getByLabel("Email").fill(testAdmin.email);
    await admin.getByLabel("Password").fill(testAdmin.password);
    await admin.getByRole("button", { name: "Sign In" }).click();
    await admin.waitForURL(/\/admin\?notice=/);
    return new Life(requester, admin, mail, product);
  }

  async end() {
    await this.requester.context().close();
    await this.admin.context().close();
    await this.product.stop();
    await this.mail.close();
  }

  /** Sends a contact message, so that there is data to hand over, restrict and erase. */
  async leaveTraces(email: string) {
    const form = { ...filledContactForm, email, message: `Written by ${email}` };
    const sent = await fetch(`${this.product.url}/contact`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams(form),
    });
    expect(sent.status).toBe(303);
  }

  async send(type: DataRightsRequestType, email: string) {
    const page = this.requester;
    await page.goto("/data-rights");
    await page.getByLabel("Full name").fill("Katherine Johnson");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Request type").selectOption(type);
    await page.getByLabel("Additional details").fill(`Please: ${type}`);
    await page.getByRole("button", { name: "Submit Request" }).click();
    await expect(page.getByText(type === "complaint" ? "Complaint received" : "Request Submitted")).toBeVisible();
  }

  async readLinks(email: string): Promise<{ confirm: string; status: string }> {
    const text = await this.waitForMail(email, /please confirm/);
    const find = (page: string) => new RegExp(`/data-rights/${page}\\?token=[\\w-]+`).exec(text)?.[0] ?? "";
    return { confirm: find("confirm"), status: find("status") };
  }

  async waitForMail(email: string, subject: RegExp): Promise<string> {
    const find = () =>
      this.mail.received.find(
        ({ recipients, content }) => recipients.includes(email) && subject.test(content.subject ?? ""),
      );
    await expect.poll(find, { timeout: 20_000 }).toBeTruthy();
    return find()?.content.text ?? "";
  }

  async openRequest(filter: string) {
    await this.admin.goto(`/admin/requests?filter=${filter}`);
    await this.admin.locator(".request-row").first().click();
  }

  /** Opens one of the admin's actions, unless the page already opened it as the next step. */
  private async open(title: string) {
    const action = this.admin.locator("details", { has: this.admin.locator("summary", { hasText: title }) });
    if ((await action.getAttribute("open")) === null) await action.locator("summary").first().click();
  }

  /** Opens one of the admin's actions, fills in its text and submits it. */
  async act(title: string, label: string, words: string, button: string) {
    const summary = this.admin.locator("summary", { hasText: title });
    const action = this.admin.getByRole("group").filter({ has: summary });
    await this.open(title);
    await action.getByLabel(label, { exact: true }).fill(words);
    await action.getByRole("button", { name: button }).click();
    await expect(this.admin.locator("[data-notice=success]")).toBeVisible();
  }

  async answer(type: DataRightsRequestType, email: string) {
    if (type === "access" || type === "portability") await this.handOver(email);
    if (type === "restrict") await this.restrictAndEnd(email);
    if (type === "rectification") {
      await this.correct(email);
      await this.act("Extend the deadline", "Reason", "The register is on paper.", "Extend");
      expect(await this.waitForMail(email, /needs more time/)).toContain("The register is on paper.");
      await expect(this.admin.getByText("Extend the deadline")).toHaveCount(0);
    }
    if (type === "erasure") return this.erase(email);
    if (type === "object") {
      await this.act("Refuse the request", "Reason", "We must keep it by law.", "Refuse");
      expect(await this.waitForMail(email, /^Your request DR-/)).toContain("You may also complain");
      return undefined;
    }
    await this.act("Complete the request", "Message to the requester", "Here is our answer.", "Complete");
    expect(await this.waitForMail(email, /is complete/)).toContain("Here is our answer.");
    return undefined;
  }

  /** Corrects the stored message, and expects its new text in the list of messages too. */
  private async correct(email: string) {
    await this.open("Correct what is stored");
    await this.admin.getByLabel("Company", { exact: true }).fill(`Right company of ${email}`);
    await this.admin.getByRole("button", { name: "Save correction: Company" }).click();
    await expect(this.admin.getByText("The stored message has the new text.")).toBeVisible();
    const request = this.admin.url();
    await this.admin.goto("/admin");
    await expect(this.admin.getByText(`Right company of ${email} · `)).toBeVisible();
    await this.admin.goto(request);
  }

  /** Downloads the data package as JSON and as a page. */
  private async handOver(email: string) {
    await this.admin.getByText("Download what this site holds about this person").click();
    const json = await this.download(this.admin, "Download as JSON");
    const html = await this.download(this.admin, "Download as a readable page");
    const data = JSON.parse(json) as Record<"submissions" | "requests" | "mails", { email?: string }[]>;
    expect(data.submissions.map((submission) => submission.email)).toEqual([email]);
    expect(data.requests).toHaveLength(1);
    expect(data.mails.length).toBeGreaterThanOrEqual(3);
    expect(json).not.toMatch(/token=[\w-]{20}/);
    for (const words of ["purposes", "recipients", "periods", "complain"]) {
      expect(json).toContain(words);
      expect(html).toContain(words);
    }
    expect(html).toContain(`Written by ${email}`);
    await this.admin.reload();
    await expect(this.admin.getByText("Data package downloaded")).toHaveCount(2);
  }

  /** Presses a button and returns the text of the file that it downloads. */
  async download(page: Page, button: string): Promise<string> {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: button }).click();
    return readFile(await (await waiting).path(), "utf8");
  }

  private async restrictAndEnd(email: string) {
    await this.act("Restrict use of the data", "Reason", "The data is disputed.", "Restrict");
    await this.admin.goto("/admin");
    await expect(this.admin.getByText(email)).toHaveCount(0);
    const file = await this.admin.request.post("/admin/submissions.csv", {
      form: { separator: "comma" },
      headers: { Origin: new URL(this.admin.url()).origin },
    });
    expect(file.status()).toBe(200);
    expect(await file.text()).not.toContain(email);
    await this.openRequest("restricted");
    await this.act("End the restriction", "Reason", "It is settled.", "Announce the end");
    expect(await this.waitForMail(email, /the restriction ends on \w+ \d+, \d{4}$/)).toContain("It is settled.");
    await expect(this.admin.getByText("Restriction ends on", { exact: true })).toBeVisible();
  }

  /** Erases the person's data, and expects the address in no column of any table after the last mail. */
  private async erase(email: string) {
    await this.open("Erase what this site holds about this person");
    await expect(this.admin.getByText(/1 message, 0 replies and drafts, 1 request \(this one\)/)).toBeVisible();
    await this.admin.getByRole("button", { name: "Erase permanently" }).click();
    await expect(this.admin.getByRole("heading", { name: "Erase this person’s data?" })).toBeVisible();
    await this.admin.getByRole("button", { name: "Erase permanently" }).click();
    await expect(this.admin.getByText("Erased", { exact: true })).toBeVisible();
    await this.waitForMail(email, /your data is erased/);
    await this.product.stop();
    const { searched, found, tombstones } = await searchDatabase(join(this.product.dataDir, "pg"), email);
    expect(searched).toBeGreaterThan(20);
    expect(found).toEqual([]);
    expect(tombstones.map(({ submissions }) => submissions)).toEqual([1]);
  }
}
