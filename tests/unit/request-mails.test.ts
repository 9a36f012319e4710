import { expect, it } from "vitest";
import { retention } from "~/content/facts";
import { erasureMail, erasurePlaces } from "~/content/request-mails";

it("claims an erasure of what the website holds, and says how long backups and the mail itself stay", () => {
  const { body } = erasureMail({ backupKeepDays: 7, elsewhere: [] });
  expect(body).toContain("erased what our website held under your email address");
  expect(body).not.toMatch(/everything/i);
  expect(body).toMatch(/Backups .* still hold it\..* each is deleted once it is 7 days old\./);
  expect(erasureMail({ backupKeepDays: 1, elsewhere: [] }).body).toContain("once it is 1 day old");
  expect(body).toContain(`within ${retention.mailDays + retention.mailAttemptDays} days in any case`);
  expect(body).not.toContain("as soon as it is delivered");
});

it("claims of other places only what the admin has ticked", () => {
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
