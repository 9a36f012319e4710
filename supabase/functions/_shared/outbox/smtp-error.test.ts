import { expect, it } from "vitest";
import { classifySmtpError, quoteReply } from "./smtp-error.ts";

const reply = (command: string, response: string) => ({
  code: "EENVELOPE",
  command,
  response,
  responseCode: Number(response.slice(0, 3)),
});

// Replies of mail services and servers, below the page that has them.
it.each([
  // https://learn.microsoft.com/en-us/exchange/mail-flow-best-practices/use-directory-based-edge-blocking
  ["RCPT TO", "550 5.4.1 Recipient address rejected: Access denied. AS(201806281)", "rejected"],
  // https://support.google.com/a/answer/3726730
  ["RCPT TO", "550 5.2.1 The email account that you tried to reach is disabled.", "rejected"],
  ["RCPT TO", "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents", "retry"],
  ["DATA", "550 5.7.26 This mail has been blocked because the sender is unauthenticated.", "retry"],
  ["EHLO", "421 4.7.0 Try again later, closing connection.", "retry"],
  // https://help.yahoo.com/kb/mail-for-desktop/SLN3444.html
  ["DATA", "554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [0]", "rejected"],
  ["RCPT TO", "421 Resources temporarily unavailable. Please try again later", "busy"],
  ["CONN", "553 VS99-IP1 deferred", "retry"],
  // https://www.postfix.org/postconf.5.html
  ["RCPT TO", "550 5.1.1 <a@b.org>: Recipient address rejected: User unknown in relay recipient table", "rejected"],
  ["RCPT TO", "554 5.7.1 <ada@example.com>: Recipient address rejected: Access denied", "retry"],
  ["RCPT TO", "504 5.5.2 <site>: Helo command rejected: need fully-qualified hostname", "retry"],
  // https://www.exim.org/exim-html-current/doc/html/spec_html/ch-generic_options_for_routers.html
  ["RCPT TO", "550 Unrouteable address", "rejected"],
  // https://www.rfc-editor.org/rfc/rfc5321#section-4.2.3
  ["RCPT TO", "550 5.5.0 Requested action not taken: mailbox unavailable", "rejected"],
  ["RCPT TO", "551 User not local; please try <ada@example.net>", "rejected"],
  ["RCPT TO", "553 Requested action not taken: mailbox name not allowed", "retry"],
  // https://www.rfc-editor.org/rfc/rfc3463#section-3
  ["RCPT TO", "452 4.2.2 The mailbox is full", "retry"],
  ["RCPT TO", "550 5.1.8 Bad sender", "retry"],
  ["MAIL FROM", "550 5.1.1 Unknown sender", "retry"],
  // https://www.rfc-editor.org/rfc/rfc4954#section-6
  ["AUTH PLAIN", "535 5.7.8 No", "retry"],
  // https://www.rfc-editor.org/rfc/rfc7505#section-4.2
  ["RCPT TO", "556 5.1.10 The domain takes no mail", "rejected"],
])("takes %s: %s as %s", (command, response, outcome) => {
  expect(classifySmtpError(reply(command, response)).outcome).toBe(outcome);
});

// Replies that no page has: vague codes, and words that belong to an address.
it.each([
  ["RCPT TO", "550 5.7.1 No such user here", "rejected", "smtp-550-5-7-1"],
  ["RCPT TO", "554 5.0.0 This account does not exist", "rejected", "smtp-554-5-0-0"],
  ["RCPT TO", "550 <ann@blacklist.example>: no such user", "rejected", "smtp-550"],
  ["RCPT TO", "550 5.1.0 <site@firm.example>: Sender address rejected: User unknown", "retry", "smtp-550-5-1-0"],
  ["RCPT TO", "550 5.7.1 User unknown to our block list", "retry", "smtp-550-5-7-1"],
  ["RCPT TO", "554 No", "retry", "smtp-554"],
  ["DATA", "550 5.1.1 Your message is not wanted", "retry", "smtp-data-550-5-1-1"],
  ["MAIL FROM", "451 4.3.2 Too many concurrent SMTP connections", "busy", "smtp-mail-451-4-3-2"],
  ["MAIL FROM", "550 Access denied - Invalid HELO name", "retry", "smtp-ehlo-550"],
])("takes %s: %s as %s, with the code %s", (command, response, outcome, code) => {
  expect(classifySmtpError(reply(command, response))).toMatchObject({ outcome, code });
});

it("reads the reply to the recipient when the server refuses all", () => {
  const rejectedErrors = [reply("RCPT TO", "550 5.1.1 Unknown")];
  expect(classifySmtpError({ ...reply("DATA", "503 No recipients"), rejectedErrors })).toEqual({
    outcome: "rejected",
    code: "smtp-550-5-1-1",
    words: "550 5.1.1 Unknown",
  });
});

it("retries after an error without a reply", () => {
  expect(classifySmtpError({ code: "ETIMEDOUT" })).toEqual({ outcome: "retry", code: "smtp-etimedout" });
  expect(classifySmtpError({})).toEqual({ outcome: "retry", code: "smtp-failed" });
});

it.each([
  [
    "550-5.1.1 No such user.\r\n550-5.1.1 See https://x.example/?p=1\r\n550 5.1.1 q1",
    "550 5.1.1 No such user. See https://x.example/?p=1 q1",
  ],
  ['550 "Ada L"@example.com and <bea+x@example.net>: no', "550 (address) and (address) no"],
  [`550 ${"é".repeat(400)}`, `550 ${"é".repeat(296)}`],
  ["550 \u202eno\u0000 \u0007such\tuser", "550 no such user"],
  ["", undefined],
])("quotes a reply in one bounded line without addresses: %j", (given, quoted) => {
  expect(quoteReply(given)).toBe(quoted);
});
