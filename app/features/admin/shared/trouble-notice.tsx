import { type Trouble, type TroubleCause, troubleWords } from "#supabase/functions/_shared/trouble";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { Notice } from "~/ui/frame/notice";

/** Causes with a notice of their own on the same page, which also shows what has not been reported yet. */
const shownElsewhere: readonly TroubleCause[] = [
  "backup-failed",
  "backup-late",
  "copy-failed",
  "disk-low",
  "retention-waits",
  "retention-late",
  "mail-waits",
];

/** Lists the trouble that the firm was mailed about and no other notice shows. Renders nothing if there is none. */
export function TroubleNotice({ troubles }: { troubles: readonly Trouble[] }) {
  const formatInstant = useInstantFormat();
  const shown = troubles.filter(({ cause }) => !shownElsewhere.includes(cause));
  if (shown.length === 0) return null;
  return (
    <Notice tone="info" title="The website needs attention" text="">
      <ul className="mt-1 list-disc space-y-2 pl-4">
        {shown.map(({ cause, since }) => (
          <li key={cause}>
            {formatInstant(since)}: {troubleWords[cause].text} {troubleWords[cause].remedy}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
