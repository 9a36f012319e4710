import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { shareSite } from "../../support/shared-site";
import { Visitor, leadsTo, readText } from "../../support/visitor";

let url: string;
let admin: Visitor;

beforeAll(async () => {
  ({ url } = await shareSite());
  admin = new Visitor(url);
  await admin.signIn();
});

const save = (fields: Record<string, string>) => admin.post("/admin/snippets", { intent: "save", ...fields });

it("keeps the typed text when the name is taken or missing", async () => {
  const name = `Taken ${randomUUID()}`;
  expect((await save({ name, body: "Words" })).status).toBe(303);
  const same = await save({ name, body: "Other words" });
  expect([same.status, readText(same.html).includes("Another text already has this name.")]).toEqual([409, true]);
  expect(same.html).toContain("Other words</textarea>");
  const nameless = await save({ name: " ", body: "Words without a name" });
  expect([nameless.status, readText(nameless.html).includes("Enter the name")]).toEqual([400, true]);
  expect(nameless.html).toContain("Words without a name</textarea>");
});

it("keeps the typed text after the session ended, and saves it from there after sign-in", async () => {
  const writer = new Visitor(url);
  await writer.signIn();
  await writer.post("/logout", {});
  const name = `After a break ${randomUUID()}`;
  const refused = await writer.post("/admin/snippets", { intent: "save", name, body: "Ten minutes of work" });
  expect(refused.status).toBe(403);
  expect(readText(refused.html)).toContain("Your session has ended.");
  expect(refused.html).toContain(`value="${name}"`);
  expect(refused.html).toContain("Ten minutes of work</textarea>");
  expect(refused.html).not.toContain("Saved texts</h2>");
  await writer.signIn();
  expect((await writer.post("/admin/snippets", { intent: "save", name, body: "Ten minutes of work" })).status).toBe(
    303,
  );
  expect((await writer.get("/admin/snippets")).html).toContain("Ten minutes of work</textarea>");
});

it.each<Record<string, string>>([
  { intent: "nonsense" },
  { intent: "delete", id: "nonsense" },
  { intent: "save", id: "nonsense", name: "Name", body: "Words" },
])("rejects an invalid form: %o", async (form) => {
  expect((await admin.post("/admin/snippets", form)).status).toBe(400);
});

it("redirects unauthenticated visitors to sign-in", async () => {
  const visitor = new Visitor(url);
  expect(leadsTo(await visitor.get("/admin/snippets"))).toBe("/login");
  const refused = await visitor.post("/admin/snippets", { intent: "delete", id: randomUUID() });
  expect(leadsTo(refused)).toBe("/login");
});
