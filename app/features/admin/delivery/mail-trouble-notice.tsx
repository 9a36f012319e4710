import { Notice } from "~/ui/frame/notice";

/** Numbers of mails that wait for too long, and that were not delivered. */
export interface MailTroubleNoticeProps {
  lateMail: number;
  undeliverableMail: number;
}

/** Says on the inbox that mail was not sent or not delivered, and links to the list of it. */
export function MailTroubleNotice({ lateMail, undeliverableMail }: MailTroubleNoticeProps) {
  if (lateMail + undeliverableMail === 0) return null;
  const sentences = [
    undeliverableMail > 0
      ? `${undeliverableMail} ${undeliverableMail === 1 ? "email was" : "emails were"} not delivered.`
      : null,
    lateMail > 0 ? `${lateMail} ${lateMail === 1 ? "email is" : "emails are"} waiting for the mail server.` : null,
  ];
  return (
    <Notice
      tone={undeliverableMail > 0 ? "error" : "info"}
      title="Some emails did not arrive"
      text={sentences.filter((sentence) => sentence !== null).join(" ")}
      link={{ label: "See which, and why", path: "/admin/mail" }}
    />
  );
}
