import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { type Browser, type Page, test as base, expect } from "@playwright/test";
import { dataRightsRequestTypes } from "#supabase/functions/_shared/data-rights-request";
import { type MailServer, startMailServer } from "../functions/support/mail-server";
import { startProduct, testAdmin } from "../support/product";
import { filledContactForm } from "../support/visitor";

type RequestType = (typeof dataRightsRequestTypes)[number];

/** The whole way of requests, for people without scripts, with a mail server and a product of their own. */
const test = base.extend<object, { life: Life }>({
  life: [
    async ({ browser }, provide) => {
      const life = await Life.begin(browser);
      await provide(life);
      await life.end();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});
test.skip(({ javaScriptEnabled }) => javaScriptEnabled === true, "the same without and with scripts");
test.describe.configure({ mode: "serial", timeout: 120_000 });

/** Erasure last: it looks into the database of the product, which has to stop for it. */
const types = [...dataRightsRequestTypes.filter((type) => type !== "erasure"), "erasure" as const];

for (const type of types) {
  test(`the life of a request of type ${type}`, async ({ life }) => {
    const { requester, admin } = life;
    const email = `${type}@person.example`;
    await life.leaveTraces(email);
    await life.send(type, email);
    const links = await life.readLinks(email);
    await requester.goto(links.confirm);
    await requester.getByRole("button", { name: "Confirm my request" }).click();
    await expect(requester.getByText("Request confirmed")).toBeVisible();

    await life.openRequest("open");
    await expect(admin.getByText("Confirmed", { exact: true })).toBeVisible();
    await admin.getByRole("button", { name: "Take up" }).click();
    await expect(admin.locator("dd", { hasText: "In progress" })).toBeVisible();
    await life.act("Add a note", "Note", "Looked at the register.", "Add note");
    await life.answer(type, email);
    if (type === "erasure") return;

    await requester.goto(links.status);
    await expect(requester.locator("main")).toContainText(type === "object" ? "Refused" : "Answered");
  });
}

/** Two people and what lies between them. */
class Life {
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
    await admin.waitForURL("**/admin");
    return new Life(requester, admin, mail, product);
  }

  async end() {
    await this.requester.context().close();
    await this.admin.context().close();
    await this.product.stop();
    await this.mail.close();
  }

  /** A message, so that there is something to give out, to restrict and to erase. */
  async leaveTraces(email: string) {
    const form = { ...filledContactForm, email, message: `Written by ${email}` };
    const sent = await fetch(`${this.product.url}/contact`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams(form),
    });
    expect(sent.status).toBe(303);
  }

  async send(type: RequestType, email: string) {
    const page = this.requester;
    await page.goto("/data-rights");
    await page.getByLabel("Full name").fill("Katherine Johnson");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Request type").selectOption(type);
    await page.getByLabel("Additional details").fill(`Please: ${type}`);
    await page.getByRole("button", { name: "Submit Request" }).click();
    await expect(page.getByText("Request Submitted")).toBeVisible();
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

  async openRequest(folder: string) {
    await this.admin.goto(`/admin/requests?folder=${folder}`);
    await this.admin.getByRole("article").getByRole("link").first().click();
  }

  /** Opens one of the admin's actions, writes the words that it needs, and does it. */
  async act(title: string, label: string, words: string, button: string) {
    const summary = this.admin.locator("summary", { hasText: title });
    const action = this.admin.getByRole("group").filter({ has: summary });
    await summary.click();
    await action.getByLabel(label, { exact: true }).fill(words);
    await action.getByRole("button", { name: button }).click();
    await expect(this.admin.locator("[data-notice=success]")).toBeVisible();
  }

  async answer(type: RequestType, email: string) {
    if (type === "access" || type === "portability") await this.handOver(email);
    if (type === "restrict") await this.restrictAndLift(email);
    if (type === "rectification") {
      await this.act("Extend the deadline", "Reason", "The register is on paper.", "Extend");
      expect(await this.waitForMail(email, /needs more time/)).toContain("The register is on paper.");
      await expect(this.admin.getByText("Extend the deadline")).toHaveCount(0);
    }
    if (type === "erasure") return this.erase(email);
    if (type === "object") {
      await this.act("Refuse the request", "Reason", "We must keep it by law.", "Refuse");
      expect(await this.waitForMail(email, /^Your request DR-/)).toContain("You may complain");
      return undefined;
    }
    await this.act("Complete the request", "Message to the requester", "Here is our answer.", "Complete");
    expect(await this.waitForMail(email, /is completed/)).toContain("Here is our answer.");
    return undefined;
  }

  /** Opens the package in both forms. */
  private async handOver(email: string) {
    await this.admin.getByText("Download everything held about this person").click();
    const [json, html] = [await this.download("Download as JSON"), await this.download("Download as a readable page")];
    const data = JSON.parse(json) as Record<"submissions" | "requests" | "mails", { email?: string }[]>;
    expect(data.submissions.map((submission) => submission.email)).toEqual([email]);
    expect(data.requests).toHaveLength(1);
    expect(data.mails.length).toBeGreaterThanOrEqual(3);
    expect(json).not.toMatch(/token=[\w-]{20}/);
    expect(html).toContain(`Written by ${email}`);
    await this.admin.reload();
    await expect(this.admin.getByText("Data package downloaded")).toHaveCount(2);
  }

  private async download(button: string): Promise<string> {
    const waiting = this.admin.waitForEvent("download");
    await this.admin.getByRole("button", { name: button }).click();
    return readFile(await (await waiting).path(), "utf8");
  }

  private async restrictAndLift(email: string) {
    await this.act("Restrict the use", "Reason", "The data is disputed.", "Restrict");
    await this.admin.goto("/admin");
    await expect(this.admin.getByText(email)).toHaveCount(0);
    expect(await (await this.admin.request.get("/admin/submissions.csv")).text()).not.toContain(email);
    await this.openRequest("restricted");
    await this.act("Lift the restriction", "Reason", "It is settled.", "Lift");
    expect(await this.waitForMail(email, /restriction ends/)).toContain("It is settled.");
    await this.admin.goto("/admin");
    await expect(this.admin.getByRole("link", { name: email })).toBeVisible();
    await this.openRequest("in_progress");
  }

  /** After the last mail, the address stands in no column of any table. */
  private async erase(email: string) {
    await this.admin.getByText("Erase everything about this person").click();
    await expect(this.admin.getByText(/1 messages, 1 requests/)).toBeVisible();
    await this.admin.getByRole("button", { name: "Erase for good" }).click();
    await expect(this.admin.getByText("Erased", { exact: true })).toBeVisible();
    await this.waitForMail(email, /your data is erased/);
    await this.product.stop();
    const database = await PGlite.create(join(this.product.dataDir, "pg"));
    const { rows: columns } = await database.query<{ place: string }>(
      `select format('%I.%I', table_schema, table_name) || '|' || quote_ident(column_name) as place
       from information_schema.columns
       where table_schema in ('public', 'private') and data_type in ('text', 'jsonb', 'character varying')`,
    );
    const found: string[] = [];
    for (const { place } of columns) {
      const [table = "", column = ""] = place.split("|");
      const { rows } = await database.query(`select 1 from ${table} where ${column}::text ilike $1`, [`%${email}%`]);
      if (rows.length > 0) found.push(place);
    }
    const { rows: tombstones } = await database.query<{ counts: { submissions: number } }>(
      "select counts from private.erasure_tombstones",
    );
    await database.close();
    expect(columns.length).toBeGreaterThan(20);
    expect(found).toEqual([]);
    expect(tombstones.map(({ counts }) => counts.submissions)).toEqual([1]);
  }
}
