import { filledContactForm } from "../support/visitor";
import { fillContactForm } from "./support/contact-page";
import { expect, signIn, test } from "./support/account-site";

const { email, name } = filledContactForm;

test("an admin replies with a saved text and a draft, and the mail joins the visitor's thread", async ({
  page,
  site,
}) => {
  await page.goto("/contact");
  await fillContactForm(page);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("Message Sent!")).toBeVisible();

  await signIn(page, site.admin);
  await page.goto("/admin/snippets");
  await page.getByLabel("Name").fill("Thanks");
  await page.getByLabel("Text", { exact: true }).fill("Thank you for your message, {name}.");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();

  await page.goto("/admin");
  await page.getByRole("article", { name }).locator("summary").first().click();
  await page.getByRole("link", { name: `Reply: ${name}` }).click();
  const reply = page.getByLabel("Your reply");
  await expect(reply).toBeInViewport();
  await page.getByRole("button", { name: "Send reply" }).click();
  await page.getByRole("link", { name: "Enter your reply" }).click();
  await expect(reply).toBeFocused();
  await reply.fill("We can talk on Monday.");
  await page.getByLabel("Saved text").selectOption("Thanks");
  await page.getByRole("button", { name: "Insert" }).click();
  await expect(reply).toHaveValue(`We can talk on Monday.\n\nThank you for your message, Grace.`);
  await expect(reply).toBeInViewport();
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Draft saved", { exact: true })).toBeVisible();

  // Any admin can continue the draft.
  await page.goto("/admin");
  await page.getByRole("article", { name }).locator("summary").first().click();
  await page.getByRole("link", { name: `Reply: ${name}` }).click();
  await expect(reply).toHaveValue(/^We can talk on Monday\./);
  await page.getByRole("button", { name: "Send reply" }).click();
  await expect(page.getByText(`Replied to ${name}.`)).toBeVisible();
  await page.getByRole("link", { name: "Open message" }).click();
  await expect(page.getByText(`by ${site.admin.email}. `)).toBeVisible();
  await expect(reply).toHaveValue("");
  // The longest possible reply, in characters that take the most bytes.
  await reply.fill("好".repeat(10_000));
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Draft saved", { exact: true })).toBeVisible();
  await reply.fill("Or on Tuesday.");
  await page.getByRole("button", { name: "Send reply" }).click();
  await page.getByRole("link", { name: "Open message" }).click();
  await expect(page.getByText("Or on Tuesday.")).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("Handed to the mail server.")).toHaveCount(2, { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await page.goto("/admin");
  await expect(page.getByText("Nothing needs an answer.")).toBeVisible();

  await expect.poll(async () => (await site.readMailsTo(email)).length, { timeout: 60_000 }).toBe(3);
  const mails = await site.readMailsTo(email);
  const [acknowledgement, first, second] = [/^Hello,/, /^We can talk/, /^Or on/].map((beginning) =>
    mails.find(({ text = "" }) => beginning.test(text)),
  );
  const subject = acknowledgement?.subject ?? "";
  expect(acknowledgement?.messageId).toMatch(/^<[0-9a-f-]{36}@firm\.example>$/);
  expect(first).toMatchObject({ subject: `Re: ${subject}`, inReplyTo: acknowledgement?.messageId });
  expect(first?.from?.address).toBe("site@firm.example");
  expect(first?.replyTo?.map(({ address }) => address)).toEqual(["inbox@firm.example"]);
  expect(first?.headers.map(({ key }) => key)).not.toContain("auto-submitted");
  expect(first?.text).toMatch(
    /^We can talk on Monday\.\n\nThank you for your message, Grace\.\n\nOn .*:\n> We run nine clinics\.\n> Can we talk\?\s*$/,
  );
  expect(second).toMatchObject({
    subject: `Re: ${subject}`,
    inReplyTo: first?.messageId,
    references: `${acknowledgement?.messageId} ${first?.messageId}`,
  });
});
