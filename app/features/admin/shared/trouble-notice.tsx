import type { Trouble, TroubleCause } from "#supabase/functions/_shared/trouble";
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

/** A present trouble, and its words: what happened, and what to do. */
export interface DescribedTrouble extends Trouble {
  words: string;
}

/** Lists the trouble that the firm was mailed about and no other notice shows. Renders nothing if there is none. */
export function TroubleNotice({ troubles }: { troubles: readonly DescribedTrouble[] }) {
  const formatInstant = useInstantFormat();
  const shown = troubles.filter(({ cause }) => !shownElsewhere.includes(cause));
  if (shown.length === 0) return null;
  return (
    <Notice tone="info" title="The website needs attention" text="">
      <ul className="mt-1 list-disc space-y-2 pl-4">
        {shown.map(({ cause, since, words }) => (
          <li key={cause}>
            {formatInstant(since)}: {words}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
