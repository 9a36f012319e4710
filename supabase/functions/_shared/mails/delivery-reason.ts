const reasons: readonly (readonly [RegExp, string])[] = [
  [/^smtp-perhaps$/, "The connection broke at the end, so it may have arrived"],
  [/^smtp-stopped$/, "The site was stopped meanwhile"],
  [/^smtp-ehlo-/, "The mail server does not accept the name that the site gives (EHLO)"],
  [/^smtp-mail-/, "The mail server refuses our sender address"],
  [/^smtp-auth-|^smtp-53[0-9]|^smtp-eauth$/, "The mail server refuses our sign-in"],
  [/^smtp-data-5\d\d-5-7-/, "The mail server rejected the message as spam"],
  [/-[45]-1-(?:2|10)$|^smtp-556/, "The domain does not accept email"],
  [/-5-1-6$|^smtp-551/, "The mailbox has moved"],
  [/-5-1-3$|^smtp-553$/, "The mail server does not accept this address"],
  [/-[45]-2-2$|^smtp-(?:452|552)$/, "The mailbox is full"],
  [/-[45]-2-[01]$/, "The mailbox is turned off"],
  [/-5-1-[14]$|-5-4-1$|^smtp-550$/, "The mailbox does not exist"],
  [/-[45]-(?:2-3|3-4)$/, "The message is too large"],
  [/-5-7-/, "The mail server does not let us send to this address"],
  [/^smtp-(?:data-)?5/, "The mail server refused the message"],
  [/^smtp-421/, "The mail server wants fewer emails at once"],
  [/^smtp-(?:data-)?4/, "The mail server asks us to try again later"],
  [/^smtp-no-tls$/, "The mail server does not offer encryption"],
  [/^smtp-.*(?:cert|signature)/, "The mail server’s certificate is not trusted"],
  [/^smtp-url-unreadable$/, "The setting SMTP_URL cannot be read"],
  [/^smtp-/, "The mail server does not respond"],
  [/^resend-4(?:00|22)$/, "Resend refused the message"],
  [/^resend-40[13]$/, "Resend refuses our key or sender address"],
  [/^resend-429$/, "Resend wants fewer emails at once"],
  [/^resend-/, "Resend does not respond"],
  [/^mail-from-is-no-address$/, "The setting MAIL_FROM is not an email address"],
  [/^contact-to-is-no-address$/, "The setting CONTACT_TO is not an email address"],
  [/^no-/, "No mail server is set up"],
];

/** How a mail ended that was given up: refused by the mailbox, not sent for five days, or perhaps delivered. */
export type Failure = "refused" | "unsent" | "perhaps";

/** Tells from `last_error` of the outbox how a mail ended that was given up. */
export function failureOf(error: string | null): Failure {
  if (error?.startsWith("expired-")) return "unsent";
  return error?.startsWith("smtp-perhaps") ? "perhaps" : "refused";
}

/**
 * Says in words why a mail was not delivered, with the server's own words.
 * @param error `last_error` of the outbox; null when it is unknown
 */
export function describeRefusal(error: string | null): string {
  const [, expired, code = "", words] = /^(expired-)?(\S*)(?: (.*))?$/s.exec(error ?? "") ?? [];
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1] ?? "The email could not be sent";
  const quoted = words === undefined ? reason : `${reason} (“${words}”)`;
  return expired === undefined ? quoted : `We could not send it for five days. The last reason: ${quoted}`;
}
