import { afterAll, beforeAll, expect, it } from "vitest";
import { addMembers, saveLetter } from "../database/support/letters";
import { signInAdmin } from "../database/support/test-backend";
import { type MailServer, startMailServer } from "../functions/support/mail-server";
import { type Site, startSite } from "../functions/support/site";
import { supplyFacts } from "./support/doctor";

const siteUrl = "https://firm.example";

let mailServer: MailServer;
let site: Site;

beforeAll(async () => {
  [mailServer, site] = await Promise.all([startMailServer(), startSite()]);
  // The functions know the firm from the database alone, where a start stores the site's facts.
  Object.assign(site.settings, { SMTP_URL: mailServer.url, MAIL_FROM: "web@firm.example", SITE_URL: undefined });
  await supplyFacts();
  const { listSiteFacts } = await import("~/server/config/site-facts.server");
  const { parseSettings } = await import("~/server/config/settings.server");
  const facts = listSiteFacts(parseSettings({ SITE_URL: siteUrl }));
  await site.service.rpc("set_site_facts", { facts }).throwOnError();
});
afterAll(async () => {
  await site?.close();
  await mailServer?.close();
});

it("mails a letter as it was tried, though the firm's facts changed after Send", async () => {
  // Loaded after the facts.
  const { composeFooter, postLetter } = await import("~/features/admin/network/letters/send-letter.server");
  const { findLetter } = await import("~/features/admin/network/letters/letters.server");
  const supabase = site.client((await signInAdmin(site)).token);
  const client = { supabase, log: { info: () => {}, warn: () => {}, error: () => {} }, unreadable: [] };
  await addMembers(site, "same", 1);
  const { letter_id } = await saveLetter(supabase, { subject: "For {name}: \u05e9\u05dc\u05d5\u05dd" });
  const find = async (url = siteUrl) => {
    const found = await findLetter(client, letter_id, composeFooter(url));
    if (!found.ok || !found.data) throw new Error("The letter is gone.");
    return found.data;
  };
  const post = async (fields: { intent: "try" } | { intent: "send"; number: string }) => {
    const found = await find();
    return postLetter(client, found, { ...fields, seen: String(found.version) }, siteUrl);
  };
  expect(await post({ intent: "try" })).toEqual({ done: "letterTried" });
  const tried = await Promise.all([siteUrl, "https://moved.example"].map(find));
  expect(tried.map(({ is_tried }) => is_tried)).toEqual([true, false]);
  expect(await post({ intent: "send", number: "1" })).toEqual({ done: "letterSent" });
  const changed = { SITE_URL: siteUrl, FIRM_NAME: "Another & Co", TIME_ZONE: "Pacific/Apia" };
  await site.service.rpc("set_site_facts", { facts: changed }).throwOnError();
  await expect.poll(async () => (await site.deliver(), mailServer.received.length)).toBe(2);
  const [trial, letter] = mailServer.received
    .map(({ content, recipients: [to = ""] }) => ({
      isTrial: !to.endsWith("@fund.example"),
      from: content.from,
      subject: content.subject,
      text: content.text?.replace(/token=[\w-]+/, "token="),
    }))
    .toSorted((one, two) => Number(two.isTrial) - Number(one.isTrial));
  expect(letter).toEqual({ ...trial, isTrial: false });
  expect(letter?.from).toEqual({ name: "Firm One", address: "web@firm.example" });
  expect(letter?.text).toContain("Firm One\nStreet One\n\nYou get this email because");
});
