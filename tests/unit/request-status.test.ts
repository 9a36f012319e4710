import { expect, it } from "vitest";
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

it("shows a request in words, with its dates in the firm's time zone", () => {
  const dates = {
    received_at: "2026-02-01T01:25:44.134+00:00",
    extended_at: "2026-02-20T08:00:00Z",
    closed_at: "2026-03-02T10:30:00Z",
    state: "refused",
  } as const;
  const view = {
    type: "Restriction: have data kept but not used",
    reference: "DR-7K2M-9QXW",
    state: "Refused",
    received: "January 31, 2026",
    due: "February 28, 2026",
    extended: "February 19, 2026",
    closed: "March 1, 2026",
    next: statusPage.next.refused,
  };
  expect(viewOn("2026-03-03", dates, "Pacific/Pago_Pago")).toEqual(view);
  expect(viewOn("2026-02-01")).toMatchObject({ state: "In progress", extended: null, closed: null });
});

const closed: Partial<RequestStatus> = { state: "completed", closed_at: "2026-02-27T00:00:00Z" };
const complaint: Partial<RequestStatus> = { request_type: "complaint", state: "open" };
const { states, next } = statusPage;

it.each<[string, string, Partial<RequestStatus>, string, string]>([
  ["is on time on the due date", "2026-02-28", {}, states.in_progress, next.in_progress],
  ["is overdue on the next day", "2026-03-01", {}, states.in_progress, statusPage.overdue],
  ["is never overdue unconfirmed", "2026-06-01", { state: "unconfirmed" }, states.unconfirmed, next.unconfirmed],
  ["is never overdue closed", "2026-06-01", closed, states.completed, next.completed],
  ["never waits for a complaint's confirmation", "2026-02-01", complaint, "Received", statusPage.complaint.next],
  ["is overdue for a complaint", "2026-03-01", complaint, "Received", statusPage.overdue],
])("%s", (_case, today, changes, state, then) => {
  expect(viewOn(today, changes)).toMatchObject({ state, next: then });
});
