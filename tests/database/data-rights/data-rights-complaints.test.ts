import { expect, it } from "vitest";
import { findDueDay } from "~/features/data-rights/due-day";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import { daysAgo, newAddress, sampleMail, type RequestOptions } from "../support/data-rights.ts";
import { useRequests } from "../support/requests.ts";

eachBackend("complaints", (backend) => {
  const requests = useRequests(backend);
  const { admin } = requests;

  const findByConfirmLink = (token: string) =>
    requests.callByLink("find_data_rights_status", token, { purpose: "confirm" });
  const findByStatusLink = (token: string) => requests.callByLink("find_data_rights_status", token);
  const complain = (options: RequestOptions = {}) =>
    requests.receive({ type: "complaint", description: "You wrote to me twice.", ...options });

  it("opens a complaint immediately, due in 30 days, with nothing to confirm and nothing to disclose", async () => {
    const complaint = await complain();
    const row = await requests.findRow(complaint);
    expect(row?.due_on).toBe(findDueDay(String(row?.received_at).slice(0, 10)));
    expect(row).toMatchObject({ request_type: "complaint", state: "open", confirmed_at: null });
    expect(await requests.readActions(complaint)).toEqual(["received"]);
    expect(await requests.readKinds(complaint)).toEqual(["request-acknowledgement", "request-firm"]);
    expect(await findByConfirmLink(complaint.tokens.confirm)).toEqual([]);
    expect(await findByStatusLink(complaint.tokens.status)).toMatchObject([{ state: "open" }]);
    const { data } = await admin.rpc("find_request", { request_id: complaint.id }).throwOnError();
    expect(data).toMatchObject({ erasure: null, messages: null, membership: null });
    expect((await complain({ email: complaint.email })).isNew).toBe(false);
  });

  it("reminds the firm before the due date, and never of a confirmation", async () => {
    const complaint = await complain();
    const findDue = async () => {
      const { data } = await backend.service.rpc("list_due_reminders").throwOnError();
      return data.find((row: { request_id: string }) => row.request_id === complaint.id)?.reminder as
        string | undefined;
    };
    expect(await findDue()).toBeUndefined();
    await requests.set(complaint, "due_on = (now() at time zone 'UTC')::date + 7");
    expect(await findDue()).toBe("due-in-7-days");
  });

  it("closes a complaint by its outcome, with a mail, or by withdrawal with the status link", async () => {
    const [complaint, other] = [await complain(), await complain()];
    await requests.take(complaint.id, "outcome", "You are right.").throwOnError();
    expect(await requests.readKinds(complaint)).toContain("request-answer");
    expect(await requests.callByLink("withdraw_data_rights_request", other.tokens.status)).toHaveLength(1);
    expect(await requests.findRow(other)).toMatchObject({ state: "withdrawn" });
  });

  it("restricts and erases complaints with the person's other data", async () => {
    const { email, id } = await complain();
    const request = await requests.receiveConfirmed({ email, type: "object" });
    await requests.take(request.id, "restrict").throwOnError();
    expect(await requests.findRow({ id })).toMatchObject({ frozen_at: expect.any(String) });
    await admin.rpc("erase_subject", { request_id: request.id, mail: sampleMail }).throwOnError();
    expect(await requests.findRow({ id })).toBeUndefined();
  });

  it("mails the acknowledgement again with a new status link, and ends the old one", async () => {
    const complaint = await complain();
    const status = newSecretToken();
    const links = { step: "acknowledge", status_token_hash: await digestOfToken(status), mail: sampleMail };
    await admin.rpc("resend_request_links", { request_id: complaint.id, ...links }).throwOnError();
    expect(await findByStatusLink(complaint.tokens.status)).toEqual([]);
    expect(await findByStatusLink(status)).toHaveLength(1);
  });

  it.each([false, true])("opens a complaint by letter, its author identified: %s", async (is_identified) => {
    const request = { request_type: "complaint", name: "Ada Lovelace", email: newAddress(), description: "By letter" };
    const entered = await requests.enter({ request, is_identified, received_on: daysAgo(0) });
    expect(await requests.findRow(entered)).toMatchObject({ state: "open", confirmed_at: null });
    expect(await findByConfirmLink(entered.tokens.confirm)).toEqual([]);
    expect(await findByStatusLink(entered.tokens.status)).toHaveLength(1);
  });

  it("refuses an open request of another type without confirmation", async () => {
    const request = await requests.receiveConfirmed();
    await expect(requests.set(request, "confirmed_at = null")).rejects.toThrow(/check constraint/);
  });
});
