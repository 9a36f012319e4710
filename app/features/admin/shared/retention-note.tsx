import { adminPage } from "~/content/account/admin";
import { useInstantFormat } from "~/ui/frame/time-zone";
import type { RetentionRun } from "../inbox/inbox.server";

/** Shows when retention limits were last applied and how much was deleted, as the privacy policy promises. */
export function RetentionNote({ run }: { run: RetentionRun | null }) {
  const formatInstant = useInstantFormat();
  const words = adminPage.retention;
  const deleted = Object.entries(run?.counts ?? {}).filter(([, count]) => count > 0);
  return (
    <section aria-labelledby="retention" className="border-t border-(--line) pt-6">
      <h2 id="retention" className="text-xl">
        {words.title}
      </h2>
      <p className="mt-2">{run ? words.last(formatInstant(run.ranAt)) : words.never}</p>
      {run ? (
        <p>
          {deleted.length === 0
            ? words.nothing
            : `${words.deleted} ${deleted.map(([kind, count]) => `${count} ${words.kinds[kind] ?? kind}`).join(", ")}.`}
        </p>
      ) : null}
    </section>
  );
}
