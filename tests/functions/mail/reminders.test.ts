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
