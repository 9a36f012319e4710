import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { requestAcknowledgement } from "#supabase/functions/_shared/mails/data-rights-mail";
import { dataRightsFormTypes, dataRightsRequestTypes } from "#supabase/functions/_shared/data-rights-request";
import { retention } from "~/content/facts";
import { dataRightsForm } from "~/content/privacy/data-rights-form";
import { linkProblems, statusPage } from "~/content/privacy/data-rights-links";
import { toStatusView } from "~/features/data-rights/request-views";
import type { RequestStatus } from "~/features/data-rights/links.server";

const sql = readdirSync("supabase/migrations")
  .map((file) => readFileSync(`supabase/migrations/${file}`, "utf8"))
  .join("\n");

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

it("offers the request types of the function in its order: the required seven, and a complaint", () => {
  const offered = dataRightsForm.fields.requestType.options.map(({ value }) => value);
  expect(offered).toEqual(dataRightsFormTypes);
  expect(offered).toEqual([...dataRightsRequestTypes, "complaint"]);
  expect(dataRightsRequestTypes).toEqual("access rectification erasure portability restrict object other".split(" "));
});

it("has texts for every state of a request in the database", () => {
  const [, table = ""] = /create table public\.data_rights_requests \((.*?)\n\);/s.exec(sql) ?? [];
  const [, list = ""] = /check \(state in \(([^)]*)\)\)/.exec(table) ?? [];
  const states = [...list.matchAll(/'(\w+)'/g)].map(([, state]) => state ?? "");
  expect(states.length).toBeGreaterThan(0);
  expect(Object.keys(statusPage.states).toSorted()).toEqual(states.toSorted());
  expect(Object.keys(statusPage.next).toSorted()).toEqual(states.toSorted());
});

it("states in the email and on the pages that a confirmation link works until the due date", () => {
  const { body } = requestAcknowledgement("a@b.example", { confirm: "c", status: "s" }, "https://firm.example");
  expect(body).toContain("Open this link by {{confirm_by}}");
  expect(linkProblems[404].text).toContain("works once, until the day by which we answer");
  expect(statusPage.next.unconfirmed).toContain("works once, until the date above");
});

it("states on the page for broken links how long links work", () => {
  const { text } = linkProblems[404];
  expect(text.replaceAll("\u00a0", " ")).toContain(
    `until ${retention.statusLinkDays} days after the request is closed`,
  );
});

describe("the status of a request", () => {
  it("is shown in words, with dates in UTC", () => {
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

  it("shows the dates of extension and closing", () => {
    const ended = { state: "refused", extended_at: "2026-02-20T08:00:00Z", closed_at: "2026-03-02T08:00:00Z" } as const;
    expect(viewOn("2026-03-03", ended)).toMatchObject({
      extended: "February 20, 2026",
      closed: "March 2, 2026",
      next: statusPage.next.refused,
    });
  });

  it("shows that it is overdue from the day after the due date", () => {
    expect(viewOn("2026-02-28").next).toBe(statusPage.next.in_progress);
    expect(viewOn("2026-03-01").next).toBe(statusPage.overdue);
    expect(viewOn("2026-03-01", { state: "open" }).next).toBe(statusPage.overdue);
  });

  it("shows dates in the firm's time zone", () => {
    // January 31 in New York, February 1 in UTC.
    const sent = {
      received_at: "2026-02-01T01:25:44.134+00:00",
      closed_at: "2026-02-20T10:30:00Z",
      state: "completed",
    } as const;
    for (const [timeZone, received, closed] of [
      ["UTC", "February 1, 2026", "February 20, 2026"],
      ["America/New_York", "January 31, 2026", "February 20, 2026"],
      ["Pacific/Kiritimati", "February 1, 2026", "February 21, 2026"],
      ["Pacific/Pago_Pago", "January 31, 2026", "February 19, 2026"],
    ] as const)
      expect(viewOn("2026-03-03", sent, timeZone), timeZone).toMatchObject({ received, closed });
  });

  it("is never overdue for an unconfirmed or closed request", () => {
    const after = "2026-06-01";
    expect(viewOn(after, { state: "unconfirmed" }).next).toBe(statusPage.next.unconfirmed);
    const closed = { state: "completed", closed_at: "2026-02-27T00:00:00Z" } as const;
    expect(viewOn(after, closed).next).toBe(statusPage.next.completed);
  });
});
