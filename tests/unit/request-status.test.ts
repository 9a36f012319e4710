import { describe, expect, it } from "vitest";
import { statusPage } from "~/content/privacy/data-rights-links";
import type { RequestStatus } from "~/features/data-rights/links.server";
import { toStatusView } from "~/features/data-rights/request-views";

const status: RequestStatus = {
  reference: "DR-7K2M-9QXW",
  request_type: "restrict",
  state: "in_progress",
  received_at: "2026-01-31T23:59:59.5+00:00",
  due_on: "2026-02-28",
  extended_at: null,
  closed_at: null,
};
const viewOn = (today: string, changes: Partial<RequestStatus> = {}, timeZone = "UTC") =>
  toStatusView({ ...status, ...changes }, { today, timeZone });

describe("the status of a data rights request", () => {
  it("is shown in words, with its dates", () => {
    expect(viewOn("2026-02-01")).toEqual({
      type: "Restriction: have data kept but not used",
      reference: "DR-7K2M-9QXW",
      state: "In progress",
      received: "January 31, 2026",
      due: "February 28, 2026",
      extended: null,
      closed: null,
      next: statusPage.next.in_progress,
    });
  });

  it("shows all dates in the firm's time zone", () => {
    const dates = {
      received_at: "2026-02-01T01:25:44.134+00:00",
      extended_at: "2026-02-20T08:00:00Z",
      closed_at: "2026-03-02T10:30:00Z",
      state: "refused",
    } as const;
    expect(viewOn("2026-03-03", dates, "Pacific/Pago_Pago")).toMatchObject({
      received: "January 31, 2026",
      extended: "February 19, 2026",
      closed: "March 1, 2026",
      next: statusPage.next.refused,
    });
  });

  const closed: Partial<RequestStatus> = { state: "completed", closed_at: "2026-02-27T00:00:00Z" };
  it.each<[string, string, Partial<RequestStatus>, string]>([
    ["is on time on the due date", "2026-02-28", {}, statusPage.next.in_progress],
    ["is overdue on the next day", "2026-03-01", {}, statusPage.overdue],
    ["is never overdue unconfirmed", "2026-06-01", { state: "unconfirmed" }, statusPage.next.unconfirmed],
    ["is never overdue closed", "2026-06-01", closed, statusPage.next.completed],
  ])("%s", (_case, today, changes, next) => {
    expect(viewOn(today, changes).next).toBe(next);
  });

  it("of a complaint never mentions a confirmation, but shows that it is overdue", () => {
    const complaint = { request_type: "complaint", state: "open" } as const;
    expect(viewOn("2026-02-01", complaint)).toMatchObject({
      type: "Complaint: about how we handled data",
      state: "Received",
      next: statusPage.complaint.next,
    });
    const worked = viewOn("2026-02-01", { ...complaint, state: "in_progress" });
    expect([worked.state, worked.next]).toEqual(["In progress", statusPage.complaint.next]);
    expect(viewOn("2026-03-01", complaint).next).toBe(statusPage.overdue);
  });
});
