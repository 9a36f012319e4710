import { expect, it } from "vitest";
import { contactMails } from "#supabase/functions/_shared/mails/contact-mail";
import { complaintAcknowledgement } from "#supabase/functions/_shared/mails/complaint-mail";
import {
  confirmationReminder,
  enteredAcknowledgement,
  requestAcknowledgement,
} from "#supabase/functions/_shared/mails/data-rights-mail";
import { retention } from "~/content/facts";
import {
  complaintOutcomeMail,
  completionMail,
  erasureMail,
  erasurePlaces,
  extensionMail,
  handOverMail,
  refusalMail,
} from "~/content/request-mails";

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
  completion: completionMail("Done."),
  handOver: handOverMail("Done."),
  extension: extensionMail("Because."),
  refusal: refusalMail("Because."),
  erasure: erasureMail({ backupKeepDays: 30, elsewhere: [] }),
  outcome: complaintOutcomeMail("You are right."),
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

it("names the website in every email to a person who may not expect it", () => {
  const message = { name: "A", email: "a@b.example", company: "C", stage: "D", goal: "E", message: "F" };
  const [, contact] = contactMails(
    { ...message, honeypot: "", privacyConsent: true },
    { url: siteUrl, mailContent: "full" },
  );
  for (const mail of [contact, ...Object.values(acknowledgements)]) {
    expect(mail?.body.replaceAll(/https?:\/\/\S+/g, "")).toContain("firm.example");
  }
});

it("explains in the acknowledgement of a message that a reply withdraws consent", () => {
  const message = { name: "A", email: "a@b.example", company: "C", stage: "D", goal: "E", message: "F" };
  for (const url of [siteUrl, undefined]) {
    const [, mail] = contactMails({ ...message, honeypot: "", privacyConsent: true }, { url, mailContent: "full" });
    expect(mail?.body).toMatch(/withdraw your consent .* reply to this email and say so/);
  }
});

it("names the firm in the acknowledgement of a message, if known", () => {
  const message = { name: "A", email: "a@b.example", company: "C", stage: "D", goal: "E", message: "F" };
  const read = (firm: string | undefined) =>
    contactMails({ ...message, honeypot: "", privacyConsent: true }, { url: siteUrl, mailContent: "full", firm })[1]
      ?.body;
  expect(read("Firm One")).toMatch(/^Thank you for writing to Firm One through firm\.example\./);
  expect(read("Firm One")).toMatch(/\n-- \nFirm One\n$/);
  expect(read(undefined)).toMatch(/^Thank you for writing to us through firm\.example\./);
});
