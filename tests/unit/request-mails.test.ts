import { expect, it } from "vitest";
import { retention } from "~/content/facts";
import { erasureMail } from "~/content/request-mails";

it("claims an erasure of what the website holds, and says how long backups and the mail itself stay", () => {
  const { body } = erasureMail(7);
  expect(body).toContain("erased what our website held under your email address");
  expect(body).not.toMatch(/everything/i);
  expect(body).toMatch(/Backups .* still hold it\..* each is deleted once it is 7 days old\./);
  expect(erasureMail(1).body).toContain("once it is 1 day old");
  expect(body).toContain(`within ${retention.mailDays + retention.mailAttemptDays} days in any case`);
  expect(body).not.toContain("as soon as it is delivered");
});
