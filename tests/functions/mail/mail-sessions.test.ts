import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runWithHost } from "#supabase/functions/_shared/host/runtime.ts";
import { mailTimes } from "#supabase/functions/_shared/outbox/mail-times.ts";
import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason.ts";
import { addMembers, clearNetwork, findLetter, sendLetter } from "../../database/support/letters.ts";
import { type ScriptedMailServer, type Step, startScriptedMailServer } from "../support/scripted-mail-server.ts";
import { newMessage } from "../support/site.ts";
import { useWorld } from "../support/world.ts";

const world = useWorld();
let server: ScriptedMailServer;

beforeEach(async () => {
  server = await startScriptedMailServer();
  Object.assign(world.settings, { SMTP_URL: server.url, FIRM_NAME: "Hale & Co" });
  await clearNetwork(world);
});
afterEach(async () => {
  server.close();
  await world.finishBackgroundWork();
});

/** Delivers until nothing is due, as hours of runs would. */
async function deliverForHours() {
  for (let run = 0; run < 5; run += 1) {
    await world.skipPauses();
    await world.deliver();
    await world.finishBackgroundWork();
  }
}

const countTries = (address: string) => server.commands.filter((line) => line === `RCPT TO:<${address}>`).length;
const takenBy = (address: string) => server.taken.filter(({ to }) => to.includes(address)).length;
const findMail = async (kind: string) =>
  (
    await world.sql<{ last_error: string | null }>(
      "select last_error, attempts, gave_up_at is not null as is_given_up, delivered_at is not null as is_sent from private.email_outbox where kind = $1",
      [kind],
    )
  )[0];

it("has limits of at least the standard's minutes, and leases that are longer", () => {
  const { greeting, reply: each, session } = runWithHost(world.host, mailTimes);
  const minutes = [greeting, each, session].map((ms) => ms / 60_000);
  // RFC 5321, 4.5.3.2.1 and 4.5.3.2.6.
  expect(minutes).toEqual([5, 10, 30]);
});

it.each<Step>(["connect", "EHLO", "MAIL", "RCPT", "DATA", "dot"])(
  "waits for a slow reply to %s, sends once, and sends other mail meanwhile",
  async (slow) => {
    await world.receive({ email: "first@example.com" });
    await world.sql(
      "update private.email_outbox set delivered_at = null, next_attempt_at = now() where kind = 'acknowledgement'",
    );
    server.taken.length = 0;
    world.host.mailTimes = { slow: 1 };
    let answer: ((usual: null) => void) | undefined;
    server.script = (step) => {
      if (step !== slow || answer) return null;
      return new Promise<null>((resolve) => (answer = resolve));
    };
    // The run ends although the session does not.
    await world.deliver();
    await expect.poll(() => answer).toBeDefined();
    await world.call("send-contact-email", newMessage({ email: "second@example.com" }));
    await world.deliver();
    await expect.poll(() => [takenBy("second@example.com"), takenBy("hello@firm.example")]).toEqual([1, 1]);
    expect(takenBy("first@example.com")).toBe(0);
    answer!(null);
    await world.finishBackgroundWork();
    await world.deliver();
    expect([takenBy("first@example.com"), countTries("first@example.com")]).toEqual([1, 2]);
    expect(await world.sql("select 1 from private.email_outbox where delivered_at is null")).toEqual([]);
  },
);

it("tries a reply and the firm's mail once more after a connection lost at the final dot, no acknowledgement", async () => {
  server.script = (step) => (step === "dot" ? "drop" : null);
  const submission_id = await world.receive();
  await deliverForHours();
  expect([countTries("ada@example.com"), countTries("hello@firm.example")]).toEqual([1, 2]);
  const { undelivered } = (await world.admin.rpc("list_undelivered").throwOnError()).data;
  const listed = undelivered.map(({ kind, code }: Record<string, string>) => [kind, code]);
  expect(listed.toSorted()).toEqual([
    ["acknowledgement", "smtp-perhaps"],
    ["firm", "smtp-perhaps"],
  ]);
  const mail = { subject: "Re: Received", quotation: "> Please call me." };
  const reply = { submission_id, reply_id: randomUUID(), reply: "We can.", mail };
  await world.admin.rpc("send_reply", reply).throwOnError();
  await deliverForHours();
  expect(countTries("ada@example.com")).toBe(1 + 2);
  const { data } = await world.admin.rpc("find_submission", { submission_id }).throwOnError();
  expect(data).toMatchObject({ state: "in_progress", undelivered_at: expect.any(String) });
});

it.each([
  ["before the text", "DATA", { last_error: "smtp-stopped", attempts: 0, is_given_up: false, is_sent: false }],
  ["after the final dot", "dot", { last_error: "smtp-perhaps", attempts: 1, is_given_up: true, is_sent: false }],
])("ends a session when the site stops: %s", async (_when, held, state) => {
  const stopping = new AbortController();
  let under = 0;
  world.host.stopping = stopping.signal;
  server.script = (step) => {
    if (step !== held) return null;
    // The firm's mail and the acknowledgement are under way.
    under += 1;
    if (under === 2) stopping.abort();
    return new Promise(() => {});
  };
  await world.receive();
  expect(await findMail("acknowledgement")).toEqual(state);
});

it("says the site's host in EHLO, and gives a refusal of it its own reason with the server's words", async () => {
  server.script = (step) => (step === "EHLO" ? "421 4.7.0 Try again later, closing connection. (EHLO)" : null);
  await world.receive();
  expect(server.commands).toContain("EHLO firm.example");
  const mail = await findMail("firm");
  expect(mail).toMatchObject({ attempts: 1, is_given_up: false });
  expect(describeRefusal(mail?.last_error ?? null)).toBe(
    "The mail server does not accept the name that the site gives (EHLO) (“421 4.7.0 Try again later, closing connection. (EHLO)”)",
  );
  expect(JSON.stringify(world.events)).not.toContain("Try again");
});

it.each([
  ["for good", "550 5.1.1 <desk@firm.example> No such user", 1],
  ["for a while", "450 4.2.0 Greylisted", 2],
])("sends the firm's mail to the others when the server refuses one address %s", async (_how, refusal, tries) => {
  world.settings.CONTACT_TO = "hello@firm.example, desk@firm.example";
  let isFirst = true;
  server.script = (step, line) => {
    if (step !== "RCPT" || !line.includes("desk@") || !isFirst) return null;
    isFirst = refusal.startsWith("550");
    return refusal;
  };
  await world.receive();
  expect([takenBy("hello@firm.example"), takenBy("desk@firm.example")]).toEqual([1, 0]);
  expect(world.events).toContainEqual(
    expect.objectContaining({ event: "mail-address-refused", level: "warn", kind: "firm" }),
  );
  expect(JSON.stringify(world.events)).not.toContain("desk");
  await deliverForHours();
  const troubles = server.taken.filter(({ text }) => text.includes("an address of the firm gets no email"));
  expect(troubles).toHaveLength(refusal.startsWith("550") ? 1 : 0);
  expect([takenBy("desk@firm.example"), countTries("desk@firm.example") - troubles.length]).toEqual([tries - 1, tries]);
});

it("sends each mail once to a server that allows two connections, and slows down", async () => {
  server.script = (step, _line, connections) =>
    step === "connect" && connections > 2 ? "421 4.3.2 Too many concurrent connections" : null;
  const people = Array.from({ length: 20 }, (_, n) => `ada-${n}@example.com`);
  await Promise.all(people.map((email) => world.call("send-contact-email", newMessage({ email }))));
  await world.finishBackgroundWork();
  await deliverForHours();
  expect(people.filter((email) => takenBy(email) !== 1)).toEqual([]);
  expect(takenBy("hello@firm.example")).toBe(20);
  expect(await world.sql("select 1 from private.email_outbox where attempts <> 1")).toEqual([]);
  // Three of the first five sessions, and few of the next 37, whose connections may overlap while they close.
  expect(world.events.filter(({ event }) => event === "mail-busy").length).toBeLessThan(10);
});

it("leaves a busy server alone until the pause is over, also for a later message", async () => {
  world.host.mailTimes = { busy: 500 };
  const connected: number[] = [];
  server.script = (step) => {
    if (step === "connect") connected.push(performance.now());
    return step === "connect" && connected.length <= 2 ? "421 4.3.2 Busy" : null;
  };
  await world.call("send-contact-email", newMessage());
  await expect.poll(() => world.events.filter(({ event }) => event === "mail-busy").length).toBe(2);
  await world.call("send-contact-email", newMessage({ email: "later@example.com" }));
  await world.finishBackgroundWork();
  expect(takenBy("later@example.com")).toBe(1);
  // A timer may be a millisecond early.
  expect(connected[2]! - connected[1]!).toBeGreaterThan(498);
});

it("sends 60 letters a minute in all, over one connection", async () => {
  await addMembers(world, "a", 80);
  // Sixteen at each of five domains.
  await world.sql("update public.network_members set email = email || '.' || chr(97 + ascii(right(name, 1)) % 5)");
  let [open, most] = [0, 0];
  server.script = (step) => {
    open += step === "MAIL" ? 1 : step === "dot" ? -1 : 0;
    most = Math.max(most, open);
    return null;
  };
  await sendLetter(world.admin);
  await deliverForHours();
  expect(server.taken.filter(({ text }) => /^list-id:/im.test(text))).toHaveLength(60);
  expect(most).toBe(1);
}, 60_000);

it("sends a letter again to exactly those members to whom it could not be sent", async () => {
  await addMembers(world, "again", 4);
  let recipient = "";
  server.script = (step, line) => {
    if (step === "RCPT") recipient = line;
    if (step === "dot") return recipient.includes("again-4@") ? "drop" : null;
    if (step !== "RCPT") return null;
    if (line.includes("again-1@")) return "550 5.1.1 No such user";
    return line.includes("again-2@") ? "451 4.3.0 Not now" : null;
  };
  const { id } = await sendLetter(world.admin);
  await deliverForHours();
  await world.sql(
    "update private.email_outbox set first_attempt_at = first_attempt_at - interval '6 days' where kind = 'letter'",
  );
  await deliverForHours();
  const counts = { state: "sent", refused: 1, perhaps: 1 };
  expect(await findLetter(world.admin, id)).toMatchObject({ ...counts, delivered: 1, unsent: 1 });
  server.script = () => null;
  for (const again of [1, 0]) expect((await world.admin.rpc("resend_letter", { letter_id: id })).data).toBe(again);
  await deliverForHours();
  expect([1, 2, 3, 4].map((n) => takenBy(`again-${n}@fund.example`))).toEqual([0, 1, 1, 0]);
  expect(await findLetter(world.admin, id)).toMatchObject({ ...counts, delivered: 2, unsent: 0 });
});
