import { expect, it } from "vitest";
import { findDueDay } from "~/features/data-rights/due-day";
import { eachBackend } from "../support/backends.ts";
import { daysAgo, newAddress, newLinks, sampleMail, useRequests } from "../support/data-rights.ts";

eachBackend("complaints", (backend) => {
  const requests = useRequests(backend);
  const { findByConfirm, findByStatus } = requests;

  const complain = (email = newAddress()) => requests.receive({ type: "complaint", email });

  it("opens a complaint immediately, due in 30 days, with nothing to confirm and nothing to disclose", async () => {
    const complaint = await complain();
    const row = await requests.findRow(complaint);
    expect(row?.due_on).toBe(findDueDay(String(row?.received_at).slice(0, 10)));
    expect(row).toMatchObject({ request_type: "complaint", state: "open", confirmed_at: null });
    expect(await requests.readActions(complaint)).toEqual(["received"]);
    expect(await requests.readKinds(complaint)).toEqual(["request-acknowledgement", "request-firm"]);
    expect(await findByConfirm(complaint.tokens.confirm)).toEqual([]);
    expect(await findByStatus(complaint.tokens.status)).toMatchObject([{ state: "open" }]);
    expect(await requests.find(complaint)).toMatchObject({ erasure: null, messages: null, membership: null });
    expect((await complain(complaint.email)).isNew).toBe(false);
  });

  it("reminds the firm before the due date, and never of a confirmation", async () => {
    const complaint = await complain();
    expect(await requests.listDue(complaint)).toEqual([]);
    await requests.set(complaint, "due_on = (now() at time zone 'UTC')::date + 7");
    expect(await requests.listDue(complaint)).toMatchObject([{ reminder: "due-in-7-days" }]);
  });

  it("closes a complaint by its outcome, with a mail, or by withdrawal with the status link", async () => {
    const [complaint, other] = [await complain(), await complain()];
    await requests.take(complaint.id, "outcome", "You are right.").throwOnError();
    expect(await requests.readKinds(complaint)).toContain("request-answer");
    expect(await requests.withdraw(other.tokens.status)).toHaveLength(1);
    expect(await requests.findRow(other)).toMatchObject({ state: "withdrawn" });
  });

  it("restricts and erases complaints with the person's other data", async () => {
    const complaint = await complain();
    const request = await requests.receiveConfirmed({ email: complaint.email, type: "object" });
    await requests.take(request.id, "restrict").throwOnError();
    expect(await requests.findRow(complaint)).toMatchObject({ frozen_at: expect.any(String) });
    await requests.erase(request).throwOnError();
    expect(await requests.findRow(complaint)).toBeUndefined();
  });

  it("mails the acknowledgement again with a new status link, and ends the old one", async () => {
    const complaint = await complain();
    const { tokens, hashes } = await newLinks();
    const { status_token_hash } = hashes;
    const resent = { step: "acknowledge", request_id: complaint.id, status_token_hash, mail: sampleMail };
    await requests.admin.rpc("resend_request_links", resent).throwOnError();
    expect(await findByStatus(complaint.tokens.status)).toEqual([]);
    expect(await findByStatus(tokens.status)).toHaveLength(1);
  });

  it.each([false, true])("opens a complaint by letter, its author identified: %s", async (is_identified) => {
    const request = { request_type: "complaint", name: "Ada Lovelace", email: newAddress(), description: "By letter" };
    const entered = await requests.enter({ request, is_identified, received_on: daysAgo(0) });
    expect(await requests.findRow(entered)).toMatchObject({ state: "open", confirmed_at: null });
    expect(await findByConfirm(entered.tokens.confirm)).toEqual([]);
    expect(await findByStatus(entered.tokens.status)).toHaveLength(1);
  });

  it("refuses an open request of another type without confirmation", async () => {
    const request = await requests.receiveConfirmed();
    await expect(requests.set(request, "confirmed_at = null")).rejects.toThrow(/check constraint/);
  });
});
