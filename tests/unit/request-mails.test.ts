import { expect, it } from "vitest";
import { contactMails } from "#supabase/functions/_shared/mails/contact-mail";
import { complaintAcknowledgement } from "#supabase/functions/_shared/mails/complaint-mail";
import {
  confirmationReminder,
  enteredAcknowledgement,
  requestAcknowledgement,
} from "#supabase/functions/_shared/mails/data-rights-mail";
import { retention } from "~/content/facts";
import { erasureMail, erasurePlaces, stepMails } from "~/content/request-mails";

it("claims an erasure of the website's data only, and states how long backups and the email itself are kept", () => {
  const { body } = erasureMail({ backupKeepDays: 7, elsewhere: [] });
  expect(body).toContain("erased what our website held under your email address");
  expect(body).not.toMatch(/everything/i);
  expect(body).toMatch(/Backups .* still hold it\..* each is deleted once it is 7 days old\./);
  expect(erasureMail({ backupKeepDays: 1, elsewhere: [] }).body).toContain("once it is 1 day old");
  expect(body).toContain(`within ${retention.mailDays + retention.mailAttemptDays} days in any case`);
  expect(body).not.toContain("as soon as it is delivered");
});

it("mentions only the other places that the admin has ticked", () => {
  const claims = {
    mailbox: "from our mailboxes.",
    exports: "the files in which we had saved your data",
    advisers: "told those who received your data from us",
    google: "deleted your visits from Google Analytics",
  };
  const open = "Emails in our mailboxes are not part of this.";
  for (const ticked of erasurePlaces) {
    const { body } = erasureMail({ backupKeepDays: 30, elsewhere: [ticked] });
    const found = erasurePlaces.filter((place) => body.includes(claims[place]));
    expect(found).toEqual([ticked]);
    expect(body.includes(open)).toBe(ticked !== "mailbox");
  }
  const { body } = erasureMail({ backupKeepDays: 30, elsewhere: erasurePlaces });
  for (const claim of Object.values(claims)) expect(body).toContain(claim);
});

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
  "explains in every email how to complain to an authority: %s",
  (_name, { body }) => {
    expect(body).toMatch(/complain to a data protection authority/);
  },
);

it.each(
  Object.entries({ ...acknowledgements, ...answers }).filter(([name]) => !["complaint", "outcome"].includes(name)),
)("explains in every email about a request how to complain to the firm: %s", (_name, { body }) => {
  expect(body).toContain("If you want to complain about how we handle your data, reply to this email.");
});

it("offers an appeal and the courts in a refusal, as on the page", () => {
  expect(answers.refusal.body).toContain("reply to this email: we look at it again, and answer within 30 days");
  expect(answers.refusal.body).toContain("you may go to court");
});

const message = { name: "A", email: "a@b.example", company: "C", stage: "D", goal: "E", message: "F" };

/** Writes the acknowledgement of a message. */
function acknowledge(site: { url?: string; firm?: string; person?: string }) {
  const id = "0d1f6f0e-5a3e-4f0b-9d5e-1d2c3b4a5f60";
  const form = { ...message, honeypot: "", privacyConsent: true as const };
  const [, mail] = contactMails(form, { id, url: undefined, mailContent: "full", ...site });
  return mail ?? { subject: "", body: "" };
}

it("names the website in every email to a person who may not expect it", () => {
  for (const mail of [acknowledge({ url: siteUrl }), ...Object.values(acknowledgements)]) {
    expect(mail.body.replaceAll(/https?:\/\/\S+/g, "")).toContain("firm.example");
  }
});

it("explains in the last paragraph of the acknowledgement how to withdraw consent, and what to do as a stranger", () => {
  for (const site of [{ url: siteUrl }, {}]) {
    const last = acknowledge(site).body.trimEnd().split("\n\n").at(-1);
    expect(last).toMatch(/withdraw your consent .* reply to this email and say so/);
    expect(last).toContain("Not you?");
  }
});

it("signs the acknowledgement with the person, the firm and the host, and leaves out what is unknown", () => {
  const full = acknowledge({ url: siteUrl, firm: "Firm One, Inc.", person: "Person One" });
  expect(full.subject).toBe("Your message to Firm One, Inc.");
  expect(full.body).toMatch(
    /^Hello,\n\nThank you for writing to us\. Person One reads every message and will reply within 24 hours, to this address\.\n\nIf it is urgent, reply to this email .*\n\nPerson One\nFirm One, Inc\.\nfirm\.example\n\nYou wrote /,
  );
  const bare = acknowledge({});
  expect(bare.subject).toBe("Your message");
  expect(bare.body).toMatch(/ We read every message and will reply .*\n\nIf it is urgent, .*\n\nYou wrote with/);
  expect(acknowledge({ url: siteUrl }).subject).toBe("Your message to firm.example");
  for (const { body } of [full, bare]) expect(body).not.toMatch(/undefined|\n\n\n/);
});

it.each([
  ["request", acknowledgements.request],
  ["reminder", acknowledgements.reminder],
])(
  "shows the link to confirm first and alone, then reference and date, then the status link: %s",
  (_name, { body }) => {
    const [beginning = "", link, facts, ...others] = body.split("\n\n");
    expect(beginning).not.toContain("https://");
    expect(link).toBe(`${siteUrl}/data-rights/confirm?token=c`);
    expect(facts).toMatch(/^Reference: \{\{reference\}\}/);
    expect(others.findIndex((part) => part.includes("token=s"))).toBeGreaterThan(0);
    expect(others.join()).toContain("this second link");
  },
);
