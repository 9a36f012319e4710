import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { readAccountLink } from "../../../support/account-links";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { findTag } from "../../../support/page-source";
import { Visitor, leadsTo, readText } from "../../../support/visitor";
import { ageSignIn } from "../../support/authenticator";

let product: TestSite;
let owner: Visitor;
/** A second admin, from the test of invitations on. */
let other: Visitor;
const invited = "invited@firm.example";
const password = "a phrase for the first time";

beforeAll(async () => {
  product = await startSite({ TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "0" });
  owner = new Visitor(product.url);
  await owner.signIn();
});
afterAll(() => product?.stop());

const people = "/admin/people";
const read = async (visitor = owner) => (await visitor.get(people)).html;
const post = (fields: Record<string, string>, visitor = owner) => visitor.post(people, fields);

const readLink = (email: string) => readAccountLink(product.dataDir, email);

/** Finds the id in the form next to an address. */
function idBeside(html: string, email: string): string {
  const item = html.split("<li").find((part) => part.includes(email) && part.includes('name="id"')) ?? "";
  return /name="id" value="([0-9a-f-]{36})"/.exec(item)?.[1] ?? "";
}

async function accept(link: string, chosen = password, repeated = chosen) {
  return new Visitor(product.url).post(link, { token: link.split("=")[1]!, password: chosen, repeated });
}

describe("the people page", () => {
  it("redirects unauthenticated visitors to sign-in", async () => {
    const answer = await new Visitor(product.url).get(people);
    expect([answer.status, leadsTo(answer)]).toEqual([303, "/login"]);
    const sent = await post({ intent: "invite", email: "x@firm.example" }, new Visitor(product.url));
    expect([sent.status, leadsTo(sent)]).toEqual([303, "/login"]);
    const page = await owner.get(people);
    expect(page.headers.get("cache-control")).toBe("no-store, no-transform");
    const text = readText(page.html);
    expect(text).toContain(`${testAdmin.email} (You)`);
    expect(text).toMatch(/Admin since .* · Last signed in on .* · Signed in on 1 device/);
    expect(page.html).not.toContain('value="remove"');
  });

  it("needs a recent sign-in, and keeps the address that was typed", async () => {
    ageSignIn(owner, product.dataDir, 16);
    const confirm = `/admin/confirm?next=${encodeURIComponent(people)}`;
    const kept = await post({ intent: "invite", email: "kept@firm.example" });
    expect(kept.status).toBe(403);
    expect(findTag(kept.html, "input", { id: "invite-email" })?.attributes.value).toBe("kept@firm.example");
    expect(findTag(kept.html, "a", { href: confirm })?.attributes.target).toBe("_blank");
    expect(readText(await read())).not.toContain("kept@firm.example");
    for (const intent of ["withdraw", "remove"])
      expect(leadsTo(await post({ intent, id: crypto.randomUUID() }))).toBe(confirm);
    expect(leadsTo(await owner.post(confirm, { password: testAdmin.password }))).toBe(people);
  });

  it("invites by email with a link that survives previews and works once", async () => {
    const answer = await post({ intent: "invite", email: ` ${invited.toUpperCase()} ` });
    expect([answer.status, leadsTo(answer)]).toEqual([303, people]);
    expect(readText((await owner.follow(answer)).html)).toContain("Invitation sent");
    const link = await readLink(invited);
    for (const _ of [1, 2]) {
      const page = await new Visitor(product.url).get(link);
      expect(page.status).toBe(200);
      expect(page.headers.get("cache-control")).toBe("no-store, no-transform");
      expect(page.headers.get("x-robots-tag")).toBe("noindex");
      expect(readText(page.html)).toContain(`Choose a password for ${invited}`);
      expect(page.html).not.toContain("<script");
    }
    expect((await accept(link, password, "something else")).html).toContain("Enter the same new password again");
    const weak = await accept(link, "password1234");
    expect([weak.status, readText(weak.html)]).toEqual([400, expect.stringContaining("guessed first")]);
    expect(weak.html).toMatch(/<title>Error: /);
    expect(weak.html).not.toContain('value="password1234"');

    const done = await accept(link);
    expect([done.status, leadsTo(done)]).toEqual([303, "/login"]);
    expect((await new Visitor(product.url).get(link)).status).toBe(404);
    expect((await accept(link)).status).toBe(404);
    other = new Visitor(product.url);
    expect(leadsTo(await other.signIn({ email: invited, password }))).toBe("/admin");
    expect(readText(await read(other))).toContain(`${invited} accepted an invitation.`);
  });

  it("withdraws an invitation and disables its link", async () => {
    const email = "withdrawn@firm.example";
    await post({ intent: "invite", email });
    const link = await readLink(email);
    await post({ intent: "withdraw", id: idBeside(await read(), email) });
    expect((await new Visitor(product.url).get(link)).status).toBe(404);
    expect((await accept(link)).status).toBe(404);
    expect(readText(await read())).toContain(`${testAdmin.email} withdrew the invitation to ${email}.`);
  });

  it("explains and keeps an invalid address, and refuses to invite an existing admin", async () => {
    const typed = await post({ intent: "invite", email: "nobody<" });
    expect(typed.status).toBe(400);
    expect(typed.html).toContain('value="nobody&lt;"');
    expect(readText(typed.html)).toContain("Enter an email address in the correct format");
    const again = await post({ intent: "invite", email: testAdmin.email });
    expect([again.status, readText(again.html)]).toEqual([409, expect.stringContaining("is already an admin")]);
    expect((await post({ intent: "remove", id: "x" })).status).toBe(400);
  });

  it("refuses self-removal, and no setting restores a removed admin", async () => {
    const ownerId = idBeside(await read(other), testAdmin.email);
    expect((await post({ intent: "remove", confirmed: "yes", id: ownerId })).status).toBe(409);
    await post({ intent: "remove", confirmed: "yes", id: ownerId }, other);
    expect(leadsTo(await owner.get(people))).toBe("/login");
    owner = new Visitor(product.url);
    await owner.signIn();
    expect(leadsTo(await owner.get(people))).toBe("/");
    // A new invitation restores them.
    await post({ intent: "invite", email: testAdmin.email }, other);
    await accept(await readLink(testAdmin.email), testAdmin.password);
    owner = new Visitor(product.url);
    await owner.signIn();
    expect((await owner.get(people)).status).toBe(200);
  });

  it("removes an admin along with their invitations, whose next click leads to sign-in and who stays without the role", async () => {
    for (const backdoor of ["backdoor@evil.example", "second@evil.example"])
      await post({ intent: "invite", email: backdoor }, other);
    const link = await readLink("backdoor@evil.example");
    const removal = { intent: "remove", id: idBeside(await read(), invited) };
    const question = await post(removal);
    expect([question.status, readText(question.html)]).toEqual([
      200,
      expect.stringContaining(`This signs ${invited} out everywhere.`),
    ]);
    expect(readText(question.html)).toContain("2 open invitations that they sent will end.");
    expect((await other.get(people)).status).toBe(200);
    await post({ ...removal, confirmed: "yes" });
    const click = await other.get("/admin/requests");
    expect([click.status, leadsTo(click)]).toEqual([303, "/login"]);
    const back = new Visitor(product.url);
    await back.signIn({ email: invited, password });
    expect(leadsTo(await back.get("/admin"))).toBe("/");
    expect((await accept(link)).status).toBe(404);
    const gone = readText(await read());
    expect(gone).toContain("Former admins and other addresses");
    expect(gone).toContain(`${testAdmin.email} removed ${invited}.`);
    expect(gone).toContain(`${testAdmin.email} withdrew the invitation to backdoor@evil.example.`);
  });

  it("rejects invalid links and logs no tokens, addresses or passwords", async () => {
    const visitor = new Visitor(product.url);
    for (const token of ["", "short", "a".repeat(200)])
      expect((await visitor.get(`/login/password?token=${token}`)).status).toBe(404);
    const unknown = await visitor.get(`/login/password?token=${newSecretToken()}`);
    expect([unknown.status, readText(unknown.html)]).toEqual([
      404,
      expect.stringContaining("This link no longer works"),
    ]);
    expect(product.output()).not.toMatch(/token=|invited@|backdoor@|a phrase for/);
  });
});
