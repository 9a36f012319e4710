import type { Trouble } from "#supabase/functions/_shared/trouble";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { Notice } from "~/ui/frame/notice";

/** A present trouble, and its words: what happened, and what to do. */
export interface DescribedTrouble extends Trouble {
  words: string;
}

/** Lists the trouble that the firm was mailed about and no other notice shows. Renders nothing if there is none. */
export function TroubleNotice({ troubles }: { troubles: readonly DescribedTrouble[] }) {
  const formatInstant = useInstantFormat();
  if (troubles.length === 0) return null;
  return (
    <Notice tone="info" title="The website needs attention" text="">
      <ul className="mt-1 list-disc space-y-2 pl-4">
        {troubles.map(({ cause, since, words }) => (
          <li key={cause}>
            {formatInstant(since)}: {words}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
