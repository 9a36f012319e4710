import { describe, expect, it } from "vitest";
import { readAccountLink } from "../../../support/account-links";
import { tokenOf } from "../../../support/network-links";
import { findTag } from "../../../support/page-source";
import { startSite, testAdmin } from "../../../support/site";
import { type Visitor, leadsTo, readText } from "../../../support/visitor";
import { expectDone, expectPage, formOf, valueOf } from "../support/pages";
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
    for (const intent of ["withdraw", "remove"])
      expect(leadsTo(await post({ intent, id: crypto.randomUUID() }))).toBe(confirm);
    expect(leadsTo(await world.admin.post(confirm, { password: testAdmin.password }))).toBe(people);
  });

  it("invites by email, once from the same page, with a link that survives a preview", async () => {
    const shown = formOf(await open(), "invite");
    expectDone(await post({ ...shown, email: ` ${invited.toUpperCase()} ` }), people, "adminInvited");
    const outdated = await post({ ...shown, email: invited });
    expectPage(outdated, 409, /Someone changed this while the page was open.*Invited on/);
    const link = await readLink(invited);
    const page = await world.visitor().get(link);
    expectPage(page, 200, `Choose a password for ${invited}`);
    expect(page.headers.get("x-robots-tag")).toBe("noindex");
    expect(page.html).not.toContain("<script");
    expectPage(await accept(link, password, "something else"), 400, "Enter the same new password again");
    const weak = await accept(link, "password1234");
    expectPage(weak, 400, "guessed first");
    expect(weak.html).not.toContain('value="password1234"');

    expect(leadsTo(await accept(link))).toBe("/login");
    other = world.visitor();
    expect(leadsTo(await other.signIn({ email: invited, password }))).toBe("/admin");
    expect(readText(await open(other))).toContain(`${invited} accepted an invitation.`);
  });

  it("withdraws an invitation, and refuses to invite an existing admin", async () => {
    const email = "withdrawn@firm.example";
    await post({ intent: "invite", email });
    expectDone(await post({ intent: "withdraw", id: idBeside(await open(), email) }), people, "invitationWithdrawn");
    expect(await world.read(people)).toContain(`${testAdmin.email} withdrew the invitation to ${email}.`);
    expectPage(await post({ intent: "invite", email: testAdmin.email }), 409, "is already an admin");
  });

  it("removes an admin for good, whose next click leads to sign-in", async () => {
    const ownId = idBeside(await open(other), testAdmin.email);
    await post({ intent: "remove", confirmed: "yes", id: ownId }, other);
    expect(leadsTo(await world.admin.get(people))).toBe("/login");
    // The setting ADMIN_EMAIL still names them.
    expect(leadsTo(await (await world.signIn()).get(people))).toBe("/");
    await post({ intent: "invite", email: testAdmin.email }, other);
    await accept(await readLink(testAdmin.email), testAdmin.password);
    world.admin = await world.signIn();
    expect((await world.admin.get(people)).status).toBe(200);
  });

  it("asks before a removal, which ends the admin's invitations as well, and has logged no one", async () => {
    const backdoor = "backdoor@evil.example";
    for (const email of [backdoor, "second@evil.example"]) await post({ intent: "invite", email }, other);
    const removal = { intent: "remove", id: idBeside(await open(), invited) };
    const question = `This signs ${invited} out everywhere.`;
    expectPage(await post(removal), 200, question, "2 open invitations that they sent will end.");
    expectDone(await post({ ...removal, confirmed: "yes" }), people, "adminRemoved");
    expectPage(
      await world.admin.get(people),
      200,
      "Former admins and other addresses",
      `${testAdmin.email} removed ${invited}.`,
      `${testAdmin.email} withdrew the invitation to ${backdoor}.`,
    );
    expect(world.site.output()).not.toMatch(/token=|invited@|backdoor@|a phrase for/);
  });
});
