import { filledContactForm } from "../support/visitor";
import { expect, test } from "./support/account-site";
import { sendContactForm, signIn } from "./support/forms";

const { email, name } = filledContactForm;

test("two replies of an admin join the visitor's thread, in a mail that says who sent it", async ({ page, site }) => {
  await page.goto("/contact");
  await sendContactForm(page);
  await signIn(page, site.admin);
  await page.getByRole("article", { name }).locator("summary").first().click();
  await page.getByRole("link", { name: `Reply: ${name}` }).click();
  const reply = page.getByLabel("Your reply");
  await expect(reply).toBeInViewport();
  await page.getByRole("button", { name: "Send reply" }).click();
  await page.getByRole("link", { name: "Enter your reply" }).click();
  await expect(reply).toBeFocused();
  for (const text of ["We can talk on Monday.", "Or on Tuesday."]) {
    await reply.fill(text);
    await page.getByRole("button", { name: "Send reply" }).click();
    await page.getByRole("link", { name: "Open message" }).click();
  }
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/ Sent\.$/)).toHaveCount(2, { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });

  await expect.poll(async () => (await site.readMailsTo(email)).length, { timeout: 60_000 }).toBe(3);
  const mails = await site.readMailsTo(email);
  const [acknowledgement, first, second] = [/^Hello/, /^We can talk/, /^Or on/].map((beginning) =>
    mails.find(({ text = "" }) => beginning.test(text)),
  );
  const subject = `Re: ${acknowledgement?.subject}`;
  expect(first).toMatchObject({ subject, inReplyTo: acknowledgement?.messageId });
  expect(first?.from?.address).toBe("site@firm.example");
  expect(first?.replyTo?.map(({ address }) => address)).toEqual(["inbox@firm.example"]);
  expect(first?.headers.map(({ key }) => key)).not.toContain("auto-submitted");
  expect(second).toMatchObject({
    subject,
    inReplyTo: first?.messageId,
    references: `${acknowledgement?.messageId} ${first?.messageId}`,
  });
});
