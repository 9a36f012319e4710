import { useInstantFormat } from "~/ui/frame/time-zone";
import type { RetentionRun } from "./inbox.server";

const kinds: Readonly<Record<string, string>> = {
  submissions: "messages",
  requests: "data rights requests",
  mails: "emails",
  members: "members of the investor network",
  consents: "consent records",
  consent_decisions: "consent decisions",
  receipts: "receipts",
  day_counts: "view counts",
  sender_addresses: "sender IP addresses",
  links: "expired links",
  records: "old records",
  account_events: "account events",
  letters: "letters",
};

const describe = ([kind, count]: [string, number]) =>
  `${count} ${(kinds[kind] ?? kind).replace(/(?:(?<=ss)es|s)(?= of |$)/, count === 1 ? "" : "$&")}`;

/** Shows when retention limits, which the privacy policy promises, were last applied and how much was deleted. */
export function RetentionNote({ run }: { run: RetentionRun | null }) {
  const formatInstant = useInstantFormat();
  const deleted = Object.entries(run?.counts ?? {}).filter(([, count]) => count > 0);
  return (
    <details>
      <summary className="summary-button">Data deletion</summary>
      <p>
        {run
          ? `Retention limits were last applied on ${formatInstant(run.ranAt)}.`
          : "Retention limits have not been applied yet."}
      </p>
      {run ? (
        <p>
          {deleted.length === 0 ? "Nothing was due for deletion." : `Deleted: ${deleted.map(describe).join(", ")}.`}
        </p>
      ) : null}
    </details>
  );
}
