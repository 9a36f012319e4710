import { expect, it } from "vitest";
import { classifySmtpError } from "./smtp-error.ts";

const reply = (command: string, response: string) => ({
  code: "EENVELOPE",
  command,
  response,
  responseCode: Number(response.slice(0, 3)),
});

it.each([
  ["RCPT TO", "550 5.1.1 <ada@example.com>: User unknown", "rejected", "smtp-550-5-1-1"],
  ["RCPT TO", "552-5.2.2 The mailbox is full", "rejected", "smtp-552-5-2-2"],
  ["RCPT TO", "556 5.1.10 The domain takes no mail", "rejected", "smtp-556-5-1-10"],
  ["RCPT TO", "550 No such user here", "rejected", "smtp-550"],
  ["RCPT TO", "550 <ann@blacklist.example>: no such user", "rejected", "smtp-550"],
  ["RCPT TO", "550 relay not permitted", "retry", "smtp-550"],
  ["RCPT TO", "550 5.7.1 Sender is on a block list", "retry", "smtp-550-5-7-1"],
  ["RCPT TO", "550 5.1.8 Bad sender", "retry", "smtp-550-5-1-8"],
  ["RCPT TO", "554 5.7.1 <ada@example.com>: Relay access denied", "retry", "smtp-554-5-7-1"],
  ["RCPT TO", "554 No", "retry", "smtp-554"],
  ["RCPT TO", "530 5.7.0 Authentication required", "retry", "smtp-530-5-7-0"],
  ["RCPT TO", "452 4.2.2 The mailbox is full", "retry", "smtp-452-4-2-2"],
  ["MAIL FROM", "550 5.1.1 Unknown sender", "retry", "smtp-mail-550-5-1-1"],
  ["AUTH PLAIN", "535 5.7.8 No", "retry", "smtp-auth-535-5-7-8"],
  ["DATA", "554 5.7.1 This is spam", "retry", "smtp-data-554-5-7-1"],
])("classifies the reply to %s: %s", (command, response, outcome, code) => {
  expect(classifySmtpError(reply(command, response))).toEqual({ outcome, code });
});

it("reads the reply to the recipient when the server refuses all", () => {
  const rejectedErrors = [reply("RCPT TO", "550 5.1.1 Unknown")];
  expect(classifySmtpError({ ...reply("DATA", "503 No recipients"), rejectedErrors })).toEqual({
    outcome: "rejected",
    code: "smtp-550-5-1-1",
  });
});

it("retries after an error without a reply", () => {
  expect(classifySmtpError({ code: "ETIMEDOUT" })).toEqual({ outcome: "retry", code: "smtp-etimedout" });
  expect(classifySmtpError({})).toEqual({ outcome: "retry", code: "smtp-failed" });
});
