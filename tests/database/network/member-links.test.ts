import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { call } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { byToken, useNetwork } from "../support/network.ts";

eachBackend("members' links", (backend) => {
  const network = useNetwork(backend);
  const visit = (name: string, token: string | null, more = {}) => call(backend.client(), name, { token, ...more });
  const findPage = (token: string) => network.open(token);

  it("open nothing when they are malformed, unknown or forged", async () => {
    const { email, token } = await network.join();
    const forged = [
      null,
      "",
      "abc",
      "x".repeat(43),
      "A".repeat(64),
      `${token.slice(0, -1)}%`,
      `${token}A`,
      // The id of another member with this one's code.
      `${(await network.ask()).token.slice(0, 21)}${token.slice(21)}`,
      // A letter's link stops mail and opens nothing else.
      await network.tokenOf(email, "letter"),
      "' or true --",
    ];
    for (const wrong of forged) {
      for (const name of ["find_membership", "confirm_membership", "discard_membership_change"] as const)
        expect([wrong, await byToken(backend, name, wrong)]).toEqual([wrong, null]);
      expect(await visit("change_membership", wrong, { details: {}, seen_version: 1 })).toBeNull();
      for (const name of ["leave_network", "end_page_links", "resubscribe_member"])
        expect([wrong, await visit(name, wrong)]).toEqual([wrong, false]);
    }
    // A page's link is no letter's.
    for (const wrong of ["A".repeat(64), "x", token]) {
      expect(await visit("unsubscribe_member", wrong)).toBe(false);
      expect(await visit("find_mail_state", wrong)).toEqual([]);
    }
    expect(await findPage(token)).toMatchObject({ state: "confirmed", unsubscribed_at: null });
  });

  it("carry an HMAC-SHA-256", async () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 8));
    for (const content of ["", "link page é", "x".repeat(200)]) {
      const query = "select encode(private.keyed_digest(decode($1, 'hex'), $2), 'hex') as digest";
      const digest = createHmac("sha256", key).update(content).digest("hex");
      expect(await backend.sql(query, [key.toString("hex"), content])).toEqual([{ digest }]);
    }
  });

  it("open a member's page for 30 days, until the next link, or until the member ends them", async () => {
    const { email, token } = await network.join();
    await network.age(email, "asked_at, confirmed_at, renewed_at", "1 year");
    expect(await findPage(token)).toMatchObject({ state: "confirmed" });
    await network.ageLinks(email);
    const { token: next } = await network.ask({ email, membership: { kind: "fund" } });
    expect(await findPage(token)).toBeNull();
    expect(await network.endLinks(token)).toBe(false);
    expect(await network.endLinks(next)).toBe(true);
    for (const ended of [token, next]) expect(await findPage(ended)).toBeNull();
    expect((await network.readActions(email)).at(-1)).toBe("member links-ended");
    await network.age(email, "page_link_at", "29 days");
    expect(await findPage(await network.tokenOf(email))).not.toBeNull();
    await network.age(email, "page_link_at", "1 day");
    expect(await findPage(await network.tokenOf(email))).toBeNull();
  });

  it("stop mail from a letter of before, after later links and a changed key, but for 60 days", async () => {
    const { email, token } = await network.join();
    const letter = await network.tokenOf(email, "letter");
    await network.endLinks(token);
    await network.ageLinks(email);
    await network.ask({ email, membership: { kind: "fund" } });
    expect(await visit("unsubscribe_member", letter)).toBe(true);
    const page = await network.tokenOf(email);
    await backend.sql("select private.change_link_key() as ok");
    expect(await findPage(page)).toBeNull();
    expect(await visit("unsubscribe_member", letter)).toBe(true);
    const later = await network.tokenOf(email, "letter");
    expect(later).not.toBe(letter);
    await backend.exec("update private.link_keys set ended_at = ended_at - interval '60 days'");
    expect(await visit("unsubscribe_member", letter)).toBe(false);
    expect(await visit("unsubscribe_member", later)).toBe(true);
  });

  it("stop all mail, show the day of the deletion, and take that back until then, or the mailbox's own refusal", async () => {
    const { email, token } = await network.join();
    const letter = await network.tokenOf(email, "letter");
    expect(await visit("find_mail_state", letter)).toEqual([{ unsubscribed_at: null, deleted_on: null }]);
    // The second is another press of the button.
    for (let press = 0; press < 2; press += 1) expect(await visit("unsubscribe_member", letter)).toBe(true);
    const stopped = { unsubscribed_at: expect.any(String), deleted_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) };
    expect(await visit("find_mail_state", letter)).toEqual([stopped]);
    expect(await findPage(token)).toMatchObject(stopped);
    await network.age(email, "unsubscribed_at", "6 days");
    expect(await visit("resubscribe_member", token)).toBe(true);
    expect(await findPage(token)).toMatchObject({ unsubscribed_at: null, deleted_on: null });
    expect((await network.readActions(email)).slice(2)).toEqual(["member unsubscribed", "member resumed"]);
    await network.set(email, "paused_at = now(), pause_reason = 'smtp-550'");
    expect(await findPage(token)).toMatchObject({ paused_at: expect.any(String), pause_reason: "smtp-550" });
    expect(await visit("resubscribe_member", token)).toBe(true);
    expect(await findPage(token)).toMatchObject({ paused_at: null, pause_reason: null });
  });
});
