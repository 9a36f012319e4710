import { describe, expect, it } from "vitest";
import { networkPeriods } from "~/content/facts";
import { ageLinks, byToken, findMember, tokenOf } from "../database/support/network.ts";
import { newMessage } from "./support/site.ts";
import { firm, useWorld } from "./support/world.ts";

const world = useWorld();

const proof = { consentPolicyVersion: "1.0", consentTextHash: "0b".repeat(32) };
const network = {
  ...proof,
  kind: "angel",
  fields: ["devices", "ai", "ai"],
  checkSize: "25k-100k",
  place: "Oregon",
  qualification: "no",
};

const accepted = [200, { ok: true }];

let people = 0;
const newPerson = () => `investor-${(people += 1)}@fund.example`;
const askToJoin = (email: string, changes: Record<string, unknown> = {}, headers?: Record<string, string>) =>
  world.ask("send-contact-email", newMessage({ email, network, ...changes }), headers);

/** Asks to join from the same client each time. */
const askFromOne = (email: string) => askToJoin(email, {}, { "x-client-code": "c".repeat(43) });
const askForLink = (body: object) => world.ask("network-link", body);

async function join(): Promise<string> {
  const email = newPerson();
  await askToJoin(email);
  const [link] = await world.takeLinks(email);
  await byToken(world, "confirm_membership", link!.token);
  return email;
}

describe("a wish to join the investor network", () => {
  it("is stored with its message, and gets one link that names the firm and quotes nothing", async () => {
    const email = newPerson();
    world.settings.FIRM_NAME = "Hale & Co";
    expect(await askToJoin(email, { name: "Grace Hopper", company: "Harbor Fund" })).toEqual(accepted);
    const [mail, ...others] = await world.takeLinks(email);
    expect([mail!.subject, others]).toEqual(["Please confirm: the investor network of Hale & Co", []]);
    expect(mail!.text).toContain(`${networkPeriods.confirmDays} days after it was first made`);
    expect(mail!.text.match(/https?:/g)).toHaveLength(1);
    expect(mail!.text).not.toMatch(/Grace|Harbor|Oregon|call me/);
    expect(await findMember(world, email)).toMatchObject({
      name: "Grace Hopper",
      company: "Harbor Fund",
      state: "asked",
      kind: "angel",
      fields: ["ai", "devices"],
      check_size: "25k-100k",
      place: "Oregon",
      qualification: "no",
      consent_text_hash: network.consentTextHash,
    });
    const [toFirm] = await world.takeMails(firm);
    expect(toFirm!.text).toContain("The sender also asked to join the investor network");
  });

  it.each([{ kind: "king" }, { fields: ["gold"] }, { consentTextHash: undefined }])(
    "is rejected with %j",
    async (wrong) => {
      const refused = await askToJoin(newPerson(), { network: { ...network, ...wrong } });
      expect(refused).toMatchObject([400, { fields: { network: expect.any(Array) } }]);
    },
  );

  it("gets its link when it comes with a repeated message", async () => {
    const email = newPerson();
    const message = newMessage({ email });
    await world.call("send-contact-email", message);
    expect(await world.takeLinks(email)).toEqual([]);
    expect((await world.call("send-contact-email", { ...message, network })).status).toBe(200);
    expect(await world.takeLinks(email)).toHaveLength(1);
  });

  it("waits for the hourly limit and goes in its turn, or is refused, which is logged with the reason", async () => {
    world.settings.ACKNOWLEDGEMENTS_PER_HOUR = "1";
    expect(await askFromOne(newPerson())).toEqual(accepted);
    const waiting = newPerson();
    expect(await askFromOne(waiting)).toEqual([200, { ok: true, hours: 1 }]);
    for (let n = 0; n < 4; n += 1) await askFromOne(newPerson());
    expect(await askFromOne(newPerson())).toEqual([429, { error: "line-full" }]);
    await world.sql("update private.rate_limits set resets_at = now() where key = 'all:network'");
    await world.deliver();
    expect(await world.takeLinks(waiting)).toHaveLength(1);
    const reasons = world.events.filter(({ event, kind }) => event === "mail-withheld" && kind === "network");
    expect(reasons.map(({ reason }) => reason)).toEqual([...Array<string>(5).fill("waits"), "line-full"]);
  });
});

describe("a lost link to the investor network", () => {
  it("goes to the member who is named by an address or a letter's token, with the same response to all others", async () => {
    const email = await join();
    const letter = await tokenOf(world, email, "letter");
    for (const [known, unknown] of [
      [{ email }, { email: newPerson() }],
      [{ token: letter }, { token: "A".repeat(64) }],
    ] as const) {
      await ageLinks(world, email);
      expect([await askForLink(known), await askForLink(unknown)]).toEqual([accepted, accepted]);
      const [link, ...others] = await world.takeLinks(email);
      expect([link!.subject, others]).toEqual(["Your link to the investor network of firm.example", []]);
      expect(await byToken(world, "find_membership", link!.token)).toMatchObject({ email });
    }
  });

  it.each([{ token: "x" }, { email: "x" }])("is refused for %j", async (body) => {
    expect(await askForLink(body)).toEqual([400, { error: "invalid" }]);
  });
});
