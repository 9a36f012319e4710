const reasons: readonly (readonly [RegExp, string])[] = [
  [/^smtp-mail-/, "The mail server refuses our sender address"],
  [/^smtp-auth-|^smtp-53[0-9]|^smtp-eauth$/, "The mail server refuses our sign-in"],
  [/^smtp-data-5\d\d-5-7-/, "The mail server rejected the message as spam"],
  [/-[45]-1-(?:2|10)$|^smtp-556/, "The domain does not accept email"],
  [/-5-1-6$|^smtp-551/, "The mailbox has moved"],
  [/-5-1-3$|^smtp-553$/, "The mail server does not accept this address"],
  [/-[45]-2-2$|^smtp-(?:452|552)$/, "The mailbox is full"],
  [/-[45]-2-[01]$/, "The mailbox is turned off"],
  [/-5-1-[14]$|^smtp-550$/, "The mailbox does not exist"],
  [/-[45]-(?:2-3|3-4)$/, "The message is too large"],
  [/-5-7-/, "The mail server does not let us send to this address"],
  [/^smtp-(?:data-)?5/, "The mail server refused the message"],
  [/^smtp-(?:data-)?4/, "The mail server asks us to try again later"],
  [/^smtp-no-tls$/, "The mail server does not offer encryption"],
  [/^smtp-url-unreadable$/, "The setting SMTP_URL cannot be read"],
  [/^smtp-/, "The mail server does not respond"],
  [/^resend-4(?:00|22)$/, "Resend refused the message"],
  [/^resend-40[13]$/, "Resend refuses our key or sender address"],
  [/^resend-/, "Resend does not respond"],
  [/^mail-from-is-no-address$/, "The setting MAIL_FROM is not an email address"],
  [/^contact-to-is-no-address$/, "The setting CONTACT_TO is not an email address"],
  [/^no-/, "No mail server is set up"],
];

/**
 * Says in words why a mail was not delivered.
 * @param code `last_error` of the outbox; null when it is unknown
 */
export function describeRefusal(code: string | null): string {
  const reason = code === null ? undefined : reasons.find(([pattern]) => pattern.test(code))?.[1];
  return reason ?? "The email could not be sent";
}
