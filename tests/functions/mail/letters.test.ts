import { beforeEach, expect, it } from "vitest";
import { addMembers, clearNetwork, findLetter, passHour, sendLetter } from "../../database/support/letters.ts";
import { headerOf } from "../support/mail-server.ts";
import { newMessage } from "../support/site.ts";
import { useWorld } from "../support/world.ts";

const world = useWorld();
beforeEach(() => clearNetwork(world));

const toMembers = () => world.mailServer.received.filter(({ recipients }) => recipients[0]?.endsWith("@fund.example"));
const addresses = () => toMembers().map(({ recipients }) => recipients[0]!);

/** Runs the timer, a minute apart, until no more mail goes out. */
async function runUntilQuiet() {
  for (let before = -1; before < world.mailServer.received.length;) {
    before = world.mailServer.received.length;
    await world.deliver();
    await world.finishBackgroundWork();
    await world.sql("update private.email_outbox set attempted_at = attempted_at - interval '1 minute'");
  }
}

const tokenOf = (content: ReturnType<typeof toMembers>[number]["content"]) =>
  /\/network\/stop\?token=([\w-]{64})>$/.exec(headerOf(content, "list-unsubscribe") ?? "")?.[1];

it("mails a letter to its members, each once, as many an hour as are set", async () => {
  const [members, perHour] = [9, 6];
  await addMembers(world, "each", members);
  world.settings.NETWORK_MAILS_PER_HOUR = String(perHour);
  const { id, count } = await sendLetter(world.admin);
  expect(count).toBe(members);
  await runUntilQuiet();
  expect(toMembers()).toHaveLength(perHour);
  await passHour(world);
  await runUntilQuiet();
  expect(toMembers()).toHaveLength(members);
  expect(new Set(addresses()).size).toBe(members);
  expect(await findLetter(world.admin, id)).toMatchObject({ state: "sent", delivered: members });

  const tokens = toMembers().map(({ content }) => tokenOf(content));
  expect(new Set(tokens).size).toBe(members);
  expect(tokens).not.toContain(undefined);
  expect(JSON.stringify(world.events)).not.toMatch(/fund\.example|Member|clinic|token/);
  const links = "select 1 from private.email_outbox where body || closing ~ 'token='";
  expect(await world.sql(links)).toEqual([]);
});

it("delays no other mail, even while a member's mail server hangs", async () => {
  await addMembers(world, "hang", 1);
  await sendLetter(world.admin);
  world.mailServer.hang(true, "hang-1@fund.example");
  await world.deliver();
  const leased = "select 1 from private.email_outbox where leased_until is not null";
  await expect.poll(() => world.sql(leased)).toHaveLength(1);
  expect((await world.call("send-contact-email", newMessage())).status).toBe(200);
  await world.deliver();
  const isAcknowledged = () => world.mailServer.received.some(({ recipients }) => recipients[0] === "ada@example.com");
  await expect.poll(isAcknowledged).toBe(true);
  expect(toMembers()).toEqual([]);
  expect(world.mailServer.hang(false)).toBe(1);
  await world.finishBackgroundWork();
  await world.skipPauses();
  await runUntilQuiet();
  expect(addresses()).toEqual(["hang-1@fund.example"]);
});

it("reaches members with the longest names, in a subject and a text of full length", async () => {
  await addMembers(world, "long", 2);
  await world.sql("update public.network_members set name = $1", ["\u{1f600}".repeat(100)]);
  const body = `${"{name} ".repeat(20)}${"k".repeat(19_860)}`;
  const { id } = await sendLetter(world.admin, { subject: `For {name}: ${"s".repeat(188)}`, body });
  await runUntilQuiet();
  expect(await findLetter(world.admin, id)).toMatchObject({ state: "sent", delivered: 2 });
});
