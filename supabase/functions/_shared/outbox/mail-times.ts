import { functionHost, type MailTimes } from "../host/runtime.ts";

/**
 * RFC 5321, 4.5.3.2 wants at least 5 minutes for the greeting, MAIL and RCPT, 2 for DATA, 3 for each block and 10 for the
 * reply to the final dot. nodemailer has one limit for all replies, so it is the longest; the sum limits the session.
 */
const minimums: MailTimes = {
  greeting: 5 * 60_000,
  reply: 10 * 60_000,
  session: 30 * 60_000,
  slow: 10_000,
  busy: 15_000,
};

/** A hosted project ends a worker after 150 seconds (the documented limit of edge functions). */
const onPlatform: MailTimes = { ...minimums, session: 110_000 };

/** Returns the limits. Only a host in this process can shorten them: a test, or a command that an operator waits for. */
export function mailTimes(): MailTimes {
  const host = functionHost();
  return { ...(host === null ? onPlatform : minimums), ...host?.mailTimes };
}
