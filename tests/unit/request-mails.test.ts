import { expect, it } from "vitest";
import { complaintAcknowledgement } from "#supabase/functions/_shared/mails/complaint-mail";
import {
  confirmationReminder,
  enteredAcknowledgement,
  requestAcknowledgement,
} from "#supabase/functions/_shared/mails/data-rights-mail";
import { retention } from "~/content/facts";
import { type ErasurePlace, erasureMail, erasurePlaces, stepMails } from "~/content/request-mails";

const siteUrl = "https://firm.example";
const tokens = { confirm: "c", status: "s" };
const acknowledgements = {
  request: requestAcknowledgement("a@b.example", tokens, siteUrl),
  entered: enteredAcknowledgement("a@b.example", tokens, siteUrl),
  reminder: confirmationReminder("a@b.example", tokens, siteUrl),
  complaint: complaintAcknowledgement("a@b.example", tokens, siteUrl),
};
const answers = {
  completion: stepMails.complete("Done."),
  handOver: stepMails.handOver("Done."),
  extension: stepMails.extend("Because."),
  refusal: stepMails.refuse("Because."),
  erasure: erasureMail({ backupKeepDays: 30, elsewhere: [] }),
  outcome: stepMails.outcome("You are right."),
};

it.each(Object.entries({ ...acknowledgements, ...answers }))(
  "tells how to complain to an authority, and to the firm (GDPR, article 12(4)), in the mail about a request: %s",
  (name, { body }) => {
    expect(body).toContain("complain to a data protection authority");
    const isOfComplaint = ["complaint", "outcome"].includes(name);
    expect(body.includes("complain about how we handle your data, reply to this email.")).toBe(!isOfComplaint);
  },
);

it.each([
  ["request", acknowledgements.request],
  ["reminder", acknowledgements.reminder],
])("shows the link to confirm first and alone, then the facts, then the status link: %s", (_name, { body }) => {
  const [beginning = "", link, facts, ...others] = body.split("\n\n");
  expect(beginning).not.toContain("https://");
  expect(link).toBe(`${siteUrl}/data-rights/confirm?token=c`);
  expect(facts).toMatch(/^Reference: \{\{reference\}\}/);
  expect(others.findIndex((part) => part.includes("token=s"))).toBeGreaterThan(0);
});

it("claims an erasure of the website's data only, and states how long backups and itself are kept", () => {
  const { body } = erasureMail({ backupKeepDays: 7, elsewhere: [] });
  expect(body).toContain("erased what our website held under your email address");
  expect(body).toContain("once it is 7 days old.");
  expect(erasureMail({ backupKeepDays: 1, elsewhere: [] }).body).toContain("once it is 1 day old");
  expect(body).toContain(`within ${retention.mailDays + retention.mailAttemptDays} days in any case`);
});

it("mentions in the mail about an erasure only the other places that the admin has ticked", () => {
  const claims = {
    mailbox: "from our mailboxes.",
    exports: "the files in which we had saved your data",
    advisers: "told those who received your data from us",
    google: "deleted your visits from Google Analytics",
  };
  const mentioned = (elsewhere: readonly ErasurePlace[]) => {
    const { body } = erasureMail({ backupKeepDays: 30, elsewhere });
    expect(body.includes("Emails in our mailboxes are not part of this.")).toBe(!elsewhere.includes("mailbox"));
    return erasurePlaces.filter((place) => body.includes(claims[place]));
  };
  for (const ticked of [...erasurePlaces.map((place) => [place]), erasurePlaces])
    expect(mentioned(ticked)).toEqual(ticked);
});
