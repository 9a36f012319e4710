import type { Email } from "postal-mime";
import { expect, it } from "vitest";
import { filledDataRightsForm, readMails } from "../../support/data-rights";
import { filledJoinForm, joinAddress } from "../../support/network-links";
import { Visitor, filledContactForm, noticeOf, readText } from "../../support/visitor";
import { answerJson } from "../support/stub-project";
import { newClient, openProject, openSite, signInAdmin } from "../support/world";

/** Settings with default limits, and clients by their forwarded addresses. */
const limited = { POST_RATE_LIMIT: "20", ACKNOWLEDGEMENTS_PER_HOUR: "", TRUSTED_PROXIES: "1" };

const isToFirm = ({ to }: Email) => to?.some(({ address }) => address === "admin@firm.example") ?? false;

it("sends one mailbox three links a day, says so to admins but not to the requester, and sends more by hand", async () => {
  const site = await openSite(limited);
  const { url, dataDir } = site;
  const visitor = new Visitor(url);
  for (const email of ["victim@gmail.com", "v.ictim+1@gmail.com", "victim@googlemail.com", "vic.tim@gmail.com"]) {
    const sent = await visitor.post("/data-rights", { ...filledDataRightsForm, email }, newClient());
    expect([sent.status, noticeOf(sent)]).toEqual([303, "dataRightsSent"]);
  }
  const countToVisitor = async () => (await readMails(dataDir)).filter((mail) => !isToFirm(mail)).length;
  await expect.poll(async () => (await readMails(dataDir)).filter(isToFirm).length).toBe(4);
  expect(await countToVisitor()).toBe(3);

  const admin = await signInAdmin(site);
  const list = (await admin.get("/admin/requests?filter=unconfirmed")).html;
  const paths = [...list.matchAll(/href="(\/admin\/requests\/[0-9a-f-]{36})"/g)].map(([, path = ""]) => path);
  const pages = await Promise.all(paths.map(async (path) => ({ path, text: readText((await admin.get(path)).html) })));
  const withheld = pages.filter(({ text }) => text.includes("Confirmation link not sent: too many emails recently"));
  expect(withheld).toHaveLength(1);
  expect((await admin.post(withheld[0]!.path, { intent: "resend" })).status).toBe(303);
  await expect.poll(countToVisitor).toBe(4);
});

it("names a client and its network to the functions that count mails by codes, the same at each call", async () => {
  const project = await openProject(answerJson(200, { ok: true }));
  const { url } = await openSite({ ...project.settings, ...limited });
  const codesOf = async (address: string) => {
    await new Visitor(url).post("/contact", filledContactForm, { "X-Forwarded-For": address });
    return String(project.calls.at(-1)?.headers["x-client-code"]).split(" ");
  };
  const [ofIpv4, other] = [await codesOf("198.51.100.7"), await codesOf("198.51.100.8")];
  expect([ofIpv4.length, ofIpv4[0] === other[0]]).toEqual([1, false]);
  const addresses = ["2001:db8:1:1::1", "2001:db8:1:1::2", "2001:db8:1:2::1", "2001:db8:2:1::1"];
  const codes: string[][] = [];
  for (const address of addresses) codes.push(await codesOf(address));
  const alike = codes.map((code) => code.map((part, i) => part === codes[0]?.[i]));
  expect(alike).toEqual([
    [true, true],
    [true, true],
    [false, true],
    [false, false],
  ]);
});

it("says when a link goes that waits for the hourly limit, lets an admin send it, and refuses what cannot wait", async () => {
  const site = await openSite({ ...limited, ACKNOWLEDGEMENTS_PER_HOUR: "1" });
  const visitor = new Visitor(site.url);
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
  const admin = await signInAdmin(site);
  for (const [email, list] of [
    ["join1@fund.example", "/admin/network?filter=asked"],
    ["request1@fund.example", "/admin/requests"],
  ] as const) {
    const rows = (await admin.get(list)).html.split("<li");
    const [row = "", ...others] = rows.filter((html) => html.includes("Link waits for the hourly limit"));
    expect(others).toEqual([]);
    const { html } = await admin.get(/href="([^"]+)"/.exec(row)?.[1] ?? "");
    expect(html).toContain(email);
    const [, button = ""] = /action="(\/admin\/mail\/[0-9a-f-]{36})"/.exec(html) ?? [];
    expect(noticeOf(await admin.post(button, { intent: "hurry" }))).toBe("mailHurried");
    const countConfirmations = async () =>
      (await readMails(site.dataDir)).filter(({ to, text }) => to?.[0]?.address === email && text?.includes("token="))
        .length;
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
});
