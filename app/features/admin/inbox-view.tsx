import { adminPage } from "~/content/pages/admin";
import { Notice } from "~/ui/notice";
import { SubmissionCard } from "./submission-card";
import type { Inbox } from "./submissions.server";

/** The inbox: what the mail is doing where that matters, the messages, and what was held back. */
export function InboxView({ inbox }: { inbox: Extract<Inbox, { outcome: "loaded" }> }) {
  const { empty, mail, quarantine } = adminPage;
  const mailTroubles = [
    ...(inbox.lateMail > 0 ? [mail.waiting(inbox.lateMail)] : []),
    ...(inbox.undeliverableMail > 0 ? [mail.givenUp(inbox.undeliverableMail)] : []),
  ];
  return (
    <>
      {mailTroubles.length > 0 ? <Notice tone="info" title={mail.title} text={mailTroubles.join(" ")} /> : null}
      {inbox.submissions.length === 0 ? (
        <p className="rounded-xl border border-(--line) bg-(--raised) px-6 py-12 text-center">{empty}</p>
      ) : (
        <ul className="grid gap-6">
          {inbox.submissions.map((submission) => (
            <li key={submission.id}>
              <SubmissionCard submission={submission} />
            </li>
          ))}
        </ul>
      )}
      {inbox.quarantined.length > 0 ? (
        <section aria-labelledby="held-back">
          <h2 id="held-back" className="text-2xl">
            {`${quarantine.title} (${inbox.quarantined.length})`}
          </h2>
          <p className="mt-2 mb-6 max-w-[68ch] text-(--muted)">{quarantine.text}</p>
          <ul className="grid gap-6">
            {inbox.quarantined.map((submission) => (
              <li key={submission.id}>
                <SubmissionCard submission={submission} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}
