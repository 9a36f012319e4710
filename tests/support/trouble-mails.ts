import { troubleCauses, troubles } from "#supabase/functions/_shared/trouble";
import { type MailServer, startMailServer } from "../functions/support/mail-server";

/** A mail server of the firm, and the mails about trouble that it got. */
export interface TroubleMails {
  /** settings that send the site's mail there */
  settings: Record<"SMTP_URL" | "MAIL_FROM" | "CONTACT_TO", string>;
  server: MailServer;
  /** Lists the mails so far as `disk-low` or `over: disk-low`, sorted. */
  list(): string[];
  /** As `list`, and clears it. */
  take(): string[];
}

/** Starts the mail server of a firm. */
export async function startTroubleMails(): Promise<TroubleMails> {
  const server = await startMailServer();
  const list = () =>
    server.received
      .flatMap(({ content: { subject = "" } }) => {
        const cause = troubleCauses.find((each) => subject.endsWith(`: ${troubles[each].title}`));
        if (cause === undefined) return [];
        return [subject.includes(": over: ") ? `over: ${cause}` : cause];
      })
      .toSorted();
  return {
    settings: {
      SMTP_URL: server.url,
      MAIL_FROM: "The Firm <website@firm.example>",
      CONTACT_TO: "hello@firm.example",
    },
    server,
    list,
    take() {
      const listed = list();
      server.received.length = 0;
      return listed;
    },
  };
}
