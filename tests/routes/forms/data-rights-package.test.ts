import { expect, it } from "vitest";
import { filledDataRightsForm, readMailsTo, readRequestLinks } from "../../support/data-rights";
import { tokenOf } from "../../support/network-links";
import { findTag, readTexts, readTitles } from "../../support/page-source";
import { filledContactForm, readText } from "../../support/visitor";
import { signInAdmin, useSite } from "../support/world";

const site = useSite();

/**
 * Sends a message and confirms a data rights request for access, as one person. @returns the links and the admin's page
 */
async function openAccessRequest(email: string) {
  await site.post("/contact", { ...filledContactForm, email });
  await site.post("/data-rights", { ...filledDataRightsForm, email });
  const links = await readRequestLinks(site.dataDir, email);
  expect((await site.post("/data-rights/confirm", { token: tokenOf(links.confirm) })).status).toBe(303);
  const admin = await signInAdmin(site);
  const { html } = await admin.get("/admin/requests?filter=open");
  const [, page = ""] =
    new RegExp(`href="(/admin/requests/[0-9a-f-]{36})"[^>]*>(?:(?!</a>).)*${links.reference}<`).exec(html) ?? [];
  return { ...links, admin, page };
}

async function waitForMail(email: string, subject: string): Promise<string> {
  const find = async () => (await readMailsTo(site.dataDir, email)).find((mail) => mail.subject.includes(subject));
  await expect.poll(find).toBeDefined();
  return (await find())?.text ?? "";
}

it("reaches the data subject through the status link and an emailed link, as a page and as JSON", async () => {
  const email = "copy@package.example";
  const { status, admin, page } = await openAccessRequest(email);
  const done = await admin.postAndFollow(page, { intent: "handOver", text: "Here is your copy." });
  expect(readText(done.html)).toContain("Data handed over");
  expect(await waitForMail(email, "your data is ready")).toContain("Here is your copy.");
  const offered = await site.get(status);
  expect(offered.html).toContain("Your data is ready");
  expect(offered.html).not.toContain(filledContactForm.company);
  expect(findTag(offered.html, "button", { name: "intent", value: "package" })).toBeDefined();
  const asked = await site.post("/data-rights/status", { token: tokenOf(status), intent: "package" });
  expect(readText((await site.follow(asked)).html)).toContain("Check your email");

  const text = await waitForMail(email, "the link to your data");
  const link = /(\/data-rights\/package\?token=[\w-]+)/.exec(text)?.[1] ?? "";
  for (let i = 0; i < 2; i += 1) {
    const opened = await site.get(link);
    expect([opened.status, opened.headers.get("cache-control")]).toEqual([200, "no-store, no-transform"]);
    expect(opened.html).not.toContain(filledContactForm.company);
    expect(findTag(opened.html, "form", { method: "post", action: "/data-rights/package/file" })).toBeDefined();
  }
  const fetchAs = (format: string) => site.post("/data-rights/package/file", { token: tokenOf(link), format });
  for (const format of ["html", "json"]) {
    const file = await fetchAs(format);
    expect(file.status).toBe(200);
    expect(file.headers.get("cache-control")).toBe(format === "html" ? "no-store, no-transform" : "no-store");
    expect(file.headers.get("content-disposition")).toMatch(new RegExp(`^attachment; filename="DR-.*\\.${format}"$`));
    for (const words of [email, filledContactForm.company, "purposes", "recipients", "complain to us"])
      expect(file.html).toContain(words);
  }
  const { information, submissions } = JSON.parse((await fetchAs("json")).html) as Record<string, unknown>;
  expect(Object.keys(information as object)).toContain("transfers");
  expect(submissions).toMatchObject([{ email }]);
  expect(readText((await admin.get(page)).html).match(/Data downloaded by the requester/g)).toHaveLength(3);
});

it("cannot be opened with the status link, a forged link, or before handover", async () => {
  const { status } = await openAccessRequest("early@package.example");
  expect((await site.get(status)).html).not.toContain("Your data is ready");
  expect((await site.post("/data-rights/status", { token: tokenOf(status), intent: "package" })).status).toBe(404);
  for (const token of [tokenOf(status), "x".repeat(43), ""]) {
    const page = await site.get(`/data-rights/package?token=${token}`);
    expect([token, page.status, readTexts(page.html, "h1")]).toEqual([token, 404, ["This link no longer works"]]);
    expect(readTitles(page.html)).toEqual(["This link no longer works"]);
    const file = await site.post("/data-rights/package/file", { token, format: "json" });
    expect([file.status, file.headers.get("location")]).toEqual([303, `/data-rights/package?token=${token}`]);
  }
});
