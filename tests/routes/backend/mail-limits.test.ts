import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { afterEach, expect, it } from "vitest";
import { filledDataRightsForm } from "../../support/data-rights";
import { startSite, type TestSite } from "../../support/site";
import { filledJoinForm, joinAddress } from "../../support/network-links";
import { Visitor, filledContactForm, leadsTo, noticeOf, readText } from "../../support/visitor";

let product: TestSite;

afterEach(async () => {
  await product.stop();
});

/** Starts a site with default limits that distinguishes clients by their forwarded addresses. */
const start = (settings: Record<string, string> = {}) =>
  startSite({ POST_RATE_LIMIT: "20", ACKNOWLEDGEMENTS_PER_HOUR: "", TRUSTED_PROXIES: "1", ...settings });

async function readMails(): Promise<Email[]> {
  const folder = join(product.dataDir, "mail");
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[^.].*\.eml$/.test(name));
  return Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))));
}

const isToFirm = ({ to }: Email) => to?.some(({ address }) => address === "admin@firm.example") ?? false;

const countOthers = async () => (await readMails()).filter((mail) => !isToFirm(mail)).length;

/** Waits until the firm has received this many emails. @returns all emails, separated by recipient */
async function waitForMails(toFirm: number): Promise<{ firm: Email[]; others: Email[] }> {
  await expect.poll(async () => (await readMails()).filter(isToFirm).length).toBe(toFirm);
  const mails = await readMails();
  return { firm: mails.filter(isToFirm), others: mails.filter((mail) => !isToFirm(mail)) };
}

it("sends one mailbox three acknowledgements of each kind after posts from ten addresses", async () => {
  const [posts, requests] = [20, 5];
  product = await start();
  const visitor = new Visitor(product.url);
  for (let i = 0; i < posts; i++) {
    const client = { "X-Forwarded-For": `203.0.113.${i % 10}` };
    const name = ["victim", "v.ictim", "vic.tim"][i % 3];
    const email = `${name}+${i}@${i % 2 ? "gmail.com" : "googlemail.com"}`;
    const isRequest = i % 4 === 3;
    const { status, headers } = isRequest
      ? await visitor.post("/data-rights", { ...filledDataRightsForm, email }, client)
      : await visitor.post("/contact", { ...filledContactForm, email }, client);
    // The response does not reveal that the mailbox has reached its limit.
    expect([status, leadsTo({ headers })]).toEqual([303, isRequest ? "/data-rights" : "/contact"]);
  }
  const { firm, others } = await waitForMails(posts);
  expect(others).toHaveLength(6);
  expect(firm.filter(({ text }) => text?.includes("reached its daily limit for this mailbox"))).toHaveLength(posts - 6);

  const admin = new Visitor(product.url);
  await admin.signIn();
  const list = (await admin.get("/admin/requests?filter=unconfirmed")).html;
  // Data rights requests of one day are listed in no particular order.
  const paths = [...list.matchAll(/href="(\/admin\/requests\/[0-9a-f-]{36})"/g)].map(([, path = ""]) => path);
  const pages = await Promise.all(paths.map(async (path) => ({ path, text: readText((await admin.get(path)).html) })));
  const withheld = pages.filter(({ text }) => text.includes("Confirmation link not sent: too many emails recently"));
  expect(withheld).toHaveLength(requests - 3);
  const [{ path } = { path: "" }] = withheld;
  expect((await admin.post(path, { intent: "resend" })).status).toBe(303);
  await expect.poll(countOthers).toBe(7);
}, 180_000);

it("limits clients and IPv6 networks separately, and the whole site per hour", async () => {
  product = await start({ ACKNOWLEDGEMENTS_PER_HOUR: "25" });
  let person = 0;
  const write = async (client: string) => {
    const email = `person-${++person}@people.example`;
    const headers = { "X-Forwarded-For": client };
    const { status } = await new Visitor(product.url).post("/contact", { ...filledContactForm, email }, headers);
    expect(status).toBe(303);
  };
  for (let i = 0; i < 6; i++) await write("198.51.100.7");
  // The same /64, then other networks of its /48.
  for (let i = 0; i < 6; i++) await write(`2001:db8:1:1::${i + 1}`);
  for (let i = 0; i < 16; i++) await write(`2001:db8:1:${i + 2}::1`);
  for (const client of ["198.51.100.8", "198.51.100.9"]) await write(client);
  const { firm, others } = await waitForMails(30);
  const withheld = firm.filter(({ text }) => text?.includes("daily limit for one internet connection"));
  // One for the IPv4 address, one for the /64, and two of the /48, which that one counts for as well.
  expect(withheld).toHaveLength(4);
  const ofSite = firm.filter(({ text }) => text?.includes("reached its hourly limit (ACKNOWLEDGEMENTS_PER_HOUR)"));
  expect(ofSite).toHaveLength(1);
  expect(others).toHaveLength(25);
});

it("says when a link goes that waits for the hourly limit, lets an admin send it, and refuses what cannot wait", async () => {
  product = await start({ ACKNOWLEDGEMENTS_PER_HOUR: "1" });
  const visitor = new Visitor(product.url);
  const wait = "our email may take up to";
  const forms = {
    join: (email: string) => visitor.post(joinAddress, { ...filledJoinForm, email }),
    request: (email: string) => visitor.post("/data-rights", { ...filledDataRightsForm, email }),
    link: (email: string) => visitor.post("/network", { email }),
  };
  for (const [name, post] of Object.entries(forms)) {
    const pages: string[] = [];
    for (let n = 0; n < 2; n += 1)
      pages.push(readText((await visitor.follow(await post(`${name}${n}@fund.example`))).html));
    expect([name, pages[0]?.includes(wait), pages[1]?.includes(wait)]).toEqual([name, name === "link", true]);
  }
  const admin = new Visitor(product.url);
  await admin.signIn();
  for (const [email, list] of [
    ["join1@fund.example", "/admin/network?filter=asked"],
    ["request1@fund.example", "/admin/requests"],
  ] as const) {
    const rows = (await admin.get(list)).html.split("<li");
    const [row = "", ...others] = rows.filter((html) => html.includes("Link waits for the hourly limit"));
    expect(others).toEqual([]);
    const [, path = ""] = /href="([^"]+)"/.exec(row) ?? [];
    const { html } = await admin.get(path);
    expect(html).toContain(email);
    const [, button = ""] = /action="(\/admin\/mail\/[0-9a-f-]{36})"/.exec(html) ?? [];
    expect(noticeOf(await admin.post(button, { intent: "hurry" }))).toBe("mailHurried");
    const countConfirmations = async () =>
      (await readMails()).filter(({ to, text }) => to?.[0]?.address === email && text?.includes("token=")).length;
    await expect.poll(countConfirmations).toBe(1);
    expect((await admin.get(list)).html).not.toContain("Link waits for the hourly limit");
  }

  for (const [name, post] of Object.entries(forms)) {
    let refused = await post("refused-0@fund.example");
    for (let n = 1; refused.status === 303 && n < 7; n += 1) refused = await post(`refused-${n}@fund.example`);
    expect([name, refused.status]).toEqual([name, 503]);
    expect(readText(refused.html)).toContain("We can’t send the link now");
    expect(refused.html).toMatch(/value="refused-\d@fund\.example"/);
    const typed = { join: filledJoinForm.message, request: "What do you hold about me?", link: "" };
    expect(refused.html).toContain(typed[name as keyof typeof forms]);
  }
}, 120_000);
