import { describe, expect, it } from "vitest";
import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { readAccountLink } from "../../../support/account-links";
import { tokenOf } from "../../../support/network-links";
import { findTag } from "../../../support/page-source";
import { startSite, testAdmin } from "../../../support/site";
import { type Visitor, leadsTo, readText } from "../../../support/visitor";
import { expectDone, expectPage, valueOf } from "../support/pages";
import { confirmFor, openWorld } from "../support/world";

const world = openWorld(() => startSite({ TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "0" }));
/** A second admin, from the test of invitations on. */
let other: Visitor;

const people = "/admin/people";
const invited = "invited@firm.example";
const password = "a phrase for the first time";

const post = (fields: Record<string, string>, visitor = world.admin) => visitor.post(people, fields);
const open = async (visitor = world.admin) => (await visitor.get(people)).html;
const readLink = (email: string) => readAccountLink(world.site.dataDir, email);
const accept = (link: string, chosen = password, repeated = chosen) =>
  world.visitor().post(link, { token: tokenOf(link), password: chosen, repeated });

/** Finds the id in the form next to an address. */
function idBeside(html: string, email: string): string {
  const item = html.split("<li").find((part) => part.includes(email) && part.includes('name="id"')) ?? "";
  return valueOf(item, { name: "id" }) ?? "";
}

describe("the people page", () => {
  it("shows each admin with their last sign-in, and offers no self-removal", async () => {
    const page = await world.admin.get(people);
    expectPage(page, 200, `${testAdmin.email} (You)`, /Admin since .* · Last signed in on .* · Signed in on 1 device/);
    expect(page.html).not.toContain('value="remove"');
  });

  it("needs a recent sign-in, and keeps the address that was typed", async () => {
    const confirm = confirmFor(people);
    world.ageSignIn();
    const kept = await post({ intent: "invite", email: "kept@firm.example" });
    expect(kept.status).toBe(403);
    expect(valueOf(kept.html, { id: "invite-email" })).toBe("kept@firm.example");
    expect(findTag(kept.html, "a", { href: confirm })?.attributes.target).toBe("_blank");
    expect(await open()).not.toContain("kept@firm.example");
    for (const intent of ["withdraw", "remove"])
      expect(leadsTo(await post({ intent, id: crypto.randomUUID() }))).toBe(confirm);
    expect(leadsTo(await world.admin.post(confirm, { password: testAdmin.password }))).toBe(people);
  });

  it("invites by email with a link that survives previews and works once", async () => {
    expectDone(await post({ intent: "invite", email: ` ${invited.toUpperCase()} ` }), people, "adminInvited");
    const link = await readLink(invited);
    for (const _ of ["a preview", "a person"]) {
      const page = await world.visitor().get(link);
      expectPage(page, 200, `Choose a password for ${invited}`);
      expect(page.headers.get("cache-control")).toBe("no-store, no-transform");
      expect(page.headers.get("x-robots-tag")).toBe("noindex");
      expect(page.html).not.toContain("<script");
    }
    expectPage(await accept(link, password, "something else"), 400, "Enter the same new password again");
    const weak = await accept(link, "password1234");
    expectPage(weak, 400, "guessed first");
    expect(weak.html).toMatch(/<title>Error: /);
    expect(weak.html).not.toContain('value="password1234"');

    expect(leadsTo(await accept(link))).toBe("/login");
    expect((await world.visitor().get(link)).status).toBe(404);
    expect((await accept(link)).status).toBe(404);
    other = world.visitor();
    expect(leadsTo(await other.signIn({ email: invited, password }))).toBe("/admin");
    expect(readText(await open(other))).toContain(`${invited} accepted an invitation.`);
  });

  it("withdraws an invitation and disables its link", async () => {
    const email = "withdrawn@firm.example";
    await post({ intent: "invite", email });
    const link = await readLink(email);
    expectDone(await post({ intent: "withdraw", id: idBeside(await open(), email) }), people, "invitationWithdrawn");
    expect((await accept(link)).status).toBe(404);
    expect(await world.read(people)).toContain(`${testAdmin.email} withdrew the invitation to ${email}.`);
  });

  it("explains and keeps an invalid address, and refuses to invite an existing admin", async () => {
    const typed = await post({ intent: "invite", email: "nobody<" });
    expectPage(typed, 400, "Enter an email address in the correct format");
    expect(valueOf(typed.html, { id: "invite-email" })).toBe("nobody<");
    expectPage(await post({ intent: "invite", email: testAdmin.email }), 409, "is already an admin");
  });

  it("refuses self-removal, and removes an admin for good, whose next click leads to sign-in", async () => {
    const ownId = idBeside(await open(other), testAdmin.email);
    expect((await post({ intent: "remove", confirmed: "yes", id: ownId })).status).toBe(409);
    await post({ intent: "remove", confirmed: "yes", id: ownId }, other);
    expect(leadsTo(await world.admin.get(people))).toBe("/login");
    // The setting ADMIN_EMAIL still names them.
    expect(leadsTo(await (await world.signIn()).get(people))).toBe("/");
    await post({ intent: "invite", email: testAdmin.email }, other);
    await accept(await readLink(testAdmin.email), testAdmin.password);
    world.admin = await world.signIn();
    expect((await world.admin.get(people)).status).toBe(200);
  });

  it("asks before a removal, which ends the admin's invitations as well", async () => {
    const backdoor = "backdoor@evil.example";
    for (const email of [backdoor, "second@evil.example"]) await post({ intent: "invite", email }, other);
    const link = await readLink(backdoor);
    const removal = { intent: "remove", id: idBeside(await open(), invited) };
    const question = `This signs ${invited} out everywhere.`;
    expectPage(await post(removal), 200, question, "2 open invitations that they sent will end.");
    expect((await other.get(people)).status).toBe(200);
    expectDone(await post({ ...removal, confirmed: "yes" }), people, "adminRemoved");
    expect(leadsTo(await other.get("/admin/requests"))).toBe("/login");
    expect((await accept(link)).status).toBe(404);
    expectPage(
      await world.admin.get(people),
      200,
      "Former admins and other addresses",
      `${testAdmin.email} removed ${invited}.`,
      `${testAdmin.email} withdrew the invitation to ${backdoor}.`,
    );
  });

  it("rejects invalid links and logs no tokens, addresses or passwords", async () => {
    expect((await world.visitor().get("/login/password?token=short")).status).toBe(404);
    const unknown = await world.visitor().get(`/login/password?token=${newSecretToken()}`);
    expectPage(unknown, 404, "This link no longer works");
    expect(world.site.output()).not.toMatch(/token=|invited@|backdoor@|a phrase for/);
  });
});
