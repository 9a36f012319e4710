import { describe, expect, it } from "vitest";
import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { readAccountLink } from "../../support/account-links";
import { readMailsTo } from "../../support/data-rights";
import { readTitles } from "../../support/page-source";
import { filledContactForm } from "../../support/visitor";
import { useSite } from "../support/world";

const site = useSite({ TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "40" });
const token = (link: string) => link.split("=")[1] ?? "";

async function readTitle(answer: Promise<{ status: number; html: string }>): Promise<[number, string]> {
  const { status, html } = await answer;
  const titles = readTitles(html);
  expect(titles).toHaveLength(1);
  return [status, titles[0] ?? ""];
}

/** Finds the link in the firm's email that marks this test's message as answered. */
async function findAnsweredLink(): Promise<string> {
  const mails = await readMailsTo(site.dataDir, "admin@firm.example");
  const mail = mails.find(({ text }) => text.includes("answered@a.example"));
  return /(\/answered\?token=[\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
}

describe("titles behind an emailed link", () => {
  const gone = "This link no longer works";

  it("report an invalid link to a package", async () => {
    for (const value of [newSecretToken(), "x", ""]) {
      expect(await readTitle(site.get(`/data-rights/package?token=${value}`))).toEqual([404, gone]);
    }
  });

  it("offer a password, report an invalid one, and report a used link", async () => {
    const admin = site.visitor();
    await admin.signIn();
    await admin.post("/admin/people", { intent: "invite", email: "invited@firm.example" });
    const link = await readAccountLink(site.dataDir, "invited@firm.example");
    expect(await readTitle(site.get(link))).toEqual([200, "Choose a password"]);
    expect(await readTitle(site.post(link, { token: token(link), password: "short", repeated: "short" }))).toEqual([
      400,
      "Error: Choose a password",
    ]);
    const password = "a phrase for the first time";
    await site.post(link, { token: token(link), password, repeated: password });
    expect(await readTitle(site.get(link))).toEqual([404, gone]);
    expect(await readTitle(site.get(`/login/password?token=${newSecretToken()}`))).toEqual([404, gone]);
  });

  it("ask whether a message was answered, and confirm that it is", async () => {
    await site.post("/contact", { ...filledContactForm, email: "answered@a.example" });
    await expect.poll(findAnsweredLink).not.toBe("");
    const link = await findAnsweredLink();
    expect(await readTitle(site.get(link))).toEqual([200, "Have you answered this message?"]);
    await site.post("/answered", { token: token(link) });
    expect(await readTitle(site.get(link))).toEqual([200, "This message is marked as answered"]);
    expect(await readTitle(site.get(`/answered?token=${newSecretToken()}`))).toEqual([404, "Oops! Page not found"]);
  });

  it("report too many visits", async () => {
    const busy = { "X-Forwarded-For": "203.0.113.77" };
    const pages = ["/data-rights/status", "/login/password", "/answered", "/network"];
    for (let i = 0; i < 30; i++) await site.get(`/answered?token=${newSecretToken()}`, busy);
    for (const page of pages)
      expect(await readTitle(site.get(`${page}?token=${newSecretToken()}`, busy))).toEqual([429, "Too many requests"]);
  });
});
