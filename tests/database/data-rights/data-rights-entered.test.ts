import { expect, it } from "vitest";
import { findDueDay } from "~/features/data-rights/due-day";
import { eachBackend } from "../support/backends.ts";
import { daysAgo, newAddress } from "../support/data-rights.ts";
import { useRequests } from "../support/requests.ts";

eachBackend("data rights requests entered by an admin", (backend) => {
  const requests = useRequests(backend);

  it("sets the due date from the day of arrival and waits for confirmation", async () => {
    const entered = await requests.enter();
    const due_on = findDueDay(daysAgo(12));
    expect(await requests.findRow(entered)).toMatchObject({ state: "unconfirmed", due_on });
    expect(await requests.readActions(entered)).toEqual(["entered"]);
    expect(await requests.readMails(entered)).toMatchObject([
      { kind: "request-acknowledgement", recipient: entered.email },
    ]);
    expect(await requests.callByLink("find_data_rights_status", entered.tokens.status)).toHaveLength(1);
    expect(await requests.callByLink("confirm_data_rights_request", entered.tokens.confirm)).toHaveLength(1);
  });

  it("stores and mails a request once when the form is sent again after Back", async () => {
    const request = { request_type: "access", name: "Ada Lovelace", email: newAddress(), description: "By letter" };
    const first = await requests.enter({ request });
    expect((await requests.enter({ request })).id).toBe(first.id);
    expect(await requests.readMails(first)).toHaveLength(1);
    for (const other of [{ received_on: daysAgo(11) }, { request: { ...request, description: "By phone" } }])
      expect((await requests.enter({ request, ...other })).id).not.toBe(first.id);
  });

  it("opens the request of an identified person immediately, without a mail to the firm", async () => {
    const entered = await requests.enter({ is_identified: true });
    expect(await requests.findRow(entered)).toMatchObject({ state: "open", confirmed_at: expect.any(String) });
    expect(await requests.callByLink("confirm_data_rights_request", entered.tokens.confirm)).toEqual([]);
    const { data } = await backend.service.rpc("list_due_reminders").throwOnError();
    expect(data.map((row: { request_id: string }) => row.request_id)).not.toContain(entered.id);
    await requests.take(entered.id, "complete").throwOnError();
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["an unknown channel", { channel: "pigeon" }, "22023"],
    ["no channel", { channel: null }, "22023"],
    ["no word on identification", { is_identified: null }, "22023"],
    ["a day to come", { received_on: daysAgo(-1) }, "22023"],
    ["a day 91 days ago", { received_on: daysAgo(91) }, "22023"],
    ["no day", { received_on: null }, "22023"],
    ["no texts", { request: {} }, "23502"],
    ["no mail", { mail: null }, "22023"],
  ])("rejects %s", async (_, changes, code) => {
    expect((await requests.enter(changes)).code).toBe(code);
  });
});
