import { describe, expect, it } from "vitest";
import { networkPeriods, retention } from "~/content/facts";
import { byToken, useNetwork } from "../../database/support/network.ts";
import { newMessage, newRequest } from "../support/site.ts";
import { firm, useWorld } from "../support/world.ts";

const world = useWorld();

const confirmToken = (text: string) => /\/data-rights\/confirm\?token=([\w-]{43})/.exec(text)?.[1];

describe("reminders about data rights requests", () => {
  it("go to the requester once, then to the firm: confirmed, due soon", async () => {
    const person = "ada@example.com";
    await world.call("receive-data-rights-request", newRequest());
    const [first] = await world.takeMails(person);
    await world.sql("update public.data_rights_requests set received_at = now() - interval '20 days'");
    const [again, ...others] = await world.takeDueMails(person);
    expect(others).toEqual([]);
    expect(again!.subject).toContain("still needs your confirmation");
    const [{ day } = { day: "" }] = await world.sql<{ day: string }>(
      "select private.day_in_words(due_on + $1::integer) as day from public.data_rights_requests",
      [retention.unconfirmedRequestDays],
    );
    expect(again!.text).toContain(`on ${day} we delete it`);
    expect(again!.text).not.toMatch(/\{\{|Ada|hold about me/);
    const token = confirmToken(again!.text);
    expect(token).not.toBe(confirmToken(first!.text));

    await world.takeMails(firm);
    const confirmed = await world.client().rpc("confirm_data_rights_request", { token }).throwOnError();
    const [{ reference }] = confirmed.data as [{ reference: string }];
    for (const [days, subject] of [
      [20, `Data rights request ${reference}`],
      [7, `Reminder: data rights request ${reference}`],
    ] as const) {
      await world.sql(
        "update public.data_rights_requests set due_on = (now() at time zone 'UTC')::date + $1::integer",
        [days],
      );
      const [mail, ...more] = await world.takeDueMails(firm);
      expect([mail!.subject.split(/ is /)[0], more]).toEqual([subject, []]);
      expect(mail!.text).toContain("https://firm.example/admin/requests/");
      expect(mail!.text).not.toMatch(/\{\{|Ada|ada@|hold about me/);
    }
  });
});

describe("reminders about the investor network", () => {
  it.each([
    [
      "to confirm, after three days,",
      false,
      ["asked_at", "3 days 1 minute"],
      "Still to confirm: the investor network of firm.example",
      `${networkPeriods.confirmDays} days`,
      "member confirmed",
    ],
    [
      "to stay, after two years,",
      true,
      ["renewed_at, confirmed_at, asked_at", `${networkPeriods.renewalMonths} months 1 day`],
      "Do you want to stay in the investor network of firm.example?",
      `in ${networkPeriods.renewalDays} days`,
      "member renewed",
    ],
  ] as const)(
    "%s go once, with a link that does it",
    async (_case, isMember, [columns, age], subject, period, action) => {
      const email = `${isMember ? "member" : "asking"}@fund.example`;
      const network = { consentPolicyVersion: "1.0", consentTextHash: "0b".repeat(32) };
      await world.call("send-contact-email", newMessage({ email, network }));
      const [ask] = await world.takeLinks(email);
      const members = useNetwork(world);
      if (isMember) await byToken(world, "confirm_membership", ask!.token);
      await members.age(email, columns, age);
      await world.deliver();
      const [reminder, ...others] = await world.takeLinks(email);
      expect([reminder!.subject, others]).toEqual([subject, []]);
      expect(reminder!.text).toContain(period);
      await byToken(world, "confirm_membership", reminder!.token);
      expect((await members.readActions(email)).at(-1)).toBe(action);
    },
  );
});

const area = "the admin area of firm.example";

it.each([
  ["password-changed", `Your password for ${area} was changed`, "All other sessions of your account have ended."],
  ["sign-in", `New device signed in to ${area}`, "\nDevice: Safari on iPhone\nTime: "],
  ["factor-on", `Two-step verification set up for ${area}`, "reset your two-step verification"],
  ["factor-off", `Two-step verification turned off for ${area}`, "reset your two-step verification"],
  ["recovery-code", `Recovery code used for ${area}`, "create new ones"],
  ["wrong-codes", `Five wrong codes for ${area}`, "change your password right away"],
])("tells an account's owner of %s once, in the firm's time and without a link", async (kind, subject, advice) => {
  // A stored fact is the site's; a secret left from before is not.
  world.settings.TIME_ZONE = "Pacific/Kiritimati";
  const facts = { SITE_URL: "https://firm.example", TIME_ZONE: "America/New_York" };
  await world.service.rpc("set_site_facts", { facts }).throwOnError();
  const { id, token, email } = await world.signIn();
  if (kind === "password-changed")
    await world.sql("update auth.users set encrypted_password = 'another' where id = $1", [id]);
  else if (kind === "sign-in")
    await world.client(token).rpc("record_sign_in", { device: "Safari on iPhone", is_new_device: true }).throwOnError();
  else await world.sql("select private.note_account_event($1, $2)::text", [id, kind]);
  await world.sql("update private.account_events set at = '2026-11-20T01:30:00Z' where user_id = $1", [id]);
  await world.deliver();
  await world.deliver();
  const [mail, ...others] = await world.takeMails(email);
  expect([mail!.subject, others]).toEqual([subject, []]);
  expect(mail!.text).toContain("November 19, 2026 at 8:30 PM EST");
  expect(mail!.text).toContain(advice);
  expect(mail!.text).not.toMatch(/https?:/);
  expect(await world.sql("select 1 from private.email_outbox where recipient = $1", [email])).toEqual([]);
});
