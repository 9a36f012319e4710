import { beforeAll, describe, expect, it } from "vitest";
import { readMailsTo, readRequestLinks } from "../../support/data-rights";
import { findTag } from "../../support/page-source";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor, leadsTo, readText } from "../../support/visitor";

let product: RunningSite;
let admin: Visitor;

beforeAll(async () => {
  product = await shareSite();
  admin = new Visitor(product.url);
  await admin.signIn();
});

describe("a request entered by an admin", () => {
  const entered = {
    name: "Katherine Johnson",
    email: "letter@a.example",
    requestType: "access",
    description: "By letter: what do you hold about me?",
    channel: "letter",
    receivedOn: new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10),
  };

  it("is linked from the list, starts its deadline at once, and sends a status link", async () => {
    const list = await admin.get("/admin/requests");
    expect(findTag(list.html, "a", { href: "/admin/requests/new" })).toBeDefined();
    expect(findTag((await admin.get("/admin/requests/new")).html, "input", { type: "date" })).toBeDefined();
    const { html } = await admin.postAndFollow("/admin/requests/new", { ...entered, isIdentified: "on" });
    const text = readText(html);
    expect(text).toContain("Entered We are emailing the person an acknowledgement");
    for (const words of ["Open", entered.description, "Entered by an admin", "Arrived by letter."])
      expect(text).toContain(words);
    const find = async () => (await readMailsTo(product.dataDir, entered.email)).map((mail) => mail.text);
    await expect.poll(find).toHaveLength(1);
    const [mail = ""] = await find();
    expect(mail).not.toContain("/data-rights/confirm");
    const status = /(\/data-rights\/status\?token=\S+)/.exec(mail)?.[1] ?? "";
    expect((await new Visitor(product.url).get(status)).status).toBe(200);
  });

  it("waits for a confirmation if the admin has not verified the identity", async () => {
    await admin.postAndFollow("/admin/requests/new", { ...entered, email: "unknown@a.example" });
    const { confirm } = await readRequestLinks(product.dataDir, "unknown@a.example");
    expect((await new Visitor(product.url).get(confirm)).status).toBe(200);
  });

  it.each([
    ["receivedOn", "2020-01-01", "Enter the date the request was received"],
    ["receivedOn", "soon", "Enter the date the request was received"],
    ["channel", "pigeon", "Select how the request arrived"],
    ["email", "nobody", "Enter an email address in the correct format"],
    ["requestType", "", "Select the type of request"],
  ])("is refused with %s “%s”, and keeps the typed values", async (field, typed, mistake) => {
    const { status, html } = await admin.post("/admin/requests/new", { ...entered, [field]: typed });
    expect(status).toBe(400);
    expect(readText(html)).toContain(mistake);
    expect(html).toContain(entered.description);
    expect(findTag(html, "input", { name: "name" })?.attributes.value).toBe(entered.name);
  });

  it("is reserved to admins", async () => {
    const visitor = new Visitor(product.url);
    expect(leadsTo(await visitor.get("/admin/requests/new"))).toBe("/login");
    const refused = await visitor.post("/admin/requests/new", entered);
    expect([refused.status, readText(refused.html)]).toEqual([403, expect.stringContaining("Your session has ended.")]);
  });
});
