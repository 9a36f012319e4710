import { describe, expect, it } from "vitest";
import { networkPeriods, retention } from "~/content/facts";
import { ageMember, byToken, readMemberActions } from "../../database/support/network.ts";
import { newMessage, newRequest } from "../support/site.ts";
import { firm, useWorld } from "../support/world.ts";

const world = useWorld();

/** Delivers twice, which shows duplicates, and takes the mails to an address. */
async function takeDue(address: string) {
  await world.deliver();
  await world.deliver();
  return world.takeMails(address);
}

const confirmToken = (text: string) => /\/data-rights\/confirm\?token=([\w-]{43})/.exec(text)?.[1];

describe("reminders about data rights requests", () => {
  it("go to the requester once, then to the firm: confirmed, due in 7 days, due in 2 days", async () => {
    const person = "ada@example.com";
    await world.call("receive-data-rights-request", newRequest());
    const [first] = await world.takeMails(person);
    expect(await takeDue(person)).toEqual([]);

    await world.sql("update public.data_rights_requests set received_at = now() - interval '20 days'");
    const [again, ...others] = await takeDue(person);
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
    const subjects: string[] = [];
    for (const days of [20, 7, 5, 2, 0]) {
      await world.sql(
        "update public.data_rights_requests set due_on = (now() at time zone 'UTC')::date + $1::integer",
        [days],
      );
      for (const { subject, text } of await takeDue(firm)) {
        subjects.push(subject.split(/ is /)[0]!);
        expect(text).toContain("https://firm.example/admin/requests/");
        expect(text).not.toMatch(/\{\{|Ada|ada@|hold about me/);
      }
    }
    const reminder = `Reminder: data rights request ${reference}`;
    expect(subjects).toEqual([`Data rights request ${reference}`, reminder, reminder]);
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
      const takeLinks = async () =>
        (await takeDue(email)).flatMap((mail) => {
          const token = /^https:\/\/firm\.example\/network\?token=([\w-]{64})$/m.exec(mail.text)?.[1];
          return token === undefined ? [] : [{ ...mail, token }];
        });
      const [ask] = await takeLinks();
      if (isMember) await byToken(world, "confirm_membership", ask!.token);
      expect(await takeLinks()).toEqual([]);
      await ageMember(world, email, columns, age);
      const [reminder, ...others] = await takeLinks();
      expect([reminder!.subject, others]).toEqual([subject, []]);
      expect(reminder!.text).toContain(period);
      await byToken(world, "confirm_membership", reminder!.token);
      expect((await readMemberActions(world, email)).at(-1)).toBe(action);
    },
  );
});
