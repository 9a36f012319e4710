import { choiceWords, recordWords } from "~/content/privacy/consent";
import type { OwnRecord as ConsentRecord } from "../record/own-record.server";

/** Props of {@link OwnRecord}. */
export interface OwnRecordProps {
  record: ConsentRecord | "unavailable";
  /** path and query of the page that shows it */
  page: string;
}

const titleId = "own-record-title";

/** Shows visitors their own consent record and lets them delete it (GDPR, articles 15 and 17). */
export function OwnRecord({ record, page }: OwnRecordProps) {
  return (
    <section aria-labelledby={titleId} className="mt-6 border-t border-(--line) pt-5">
      <h3 id={titleId} className="text-xl">
        {recordWords.title}
      </h3>
      {record === "unavailable" ? (
        <p className="mt-3">{recordWords.unavailable}</p>
      ) : (
        <>
          <p className="mt-3 wrap-anywhere">{recordWords.number(record.recordId)}</p>
          <p className="mt-3 wrap-anywhere">{recordWords.browser(record.userAgent)}</p>
          <ul className="mt-3 list-disc pl-5">
            {record.decisions.map(({ at, analytics, marketing, source, version, textHash }) => (
              <li key={`${at} ${textHash}`} className="wrap-anywhere">
                {recordWords.decision({
                  at,
                  analytics: analytics ? choiceWords.allowed : choiceWords.refused,
                  marketing: marketing ? choiceWords.allowed : choiceWords.refused,
                  source: recordWords.sources[source],
                  version,
                  textHash,
                })}
              </li>
            ))}
          </ul>
        </>
      )}
      <form method="post" action="/consent" className="mt-5">
        <input type="hidden" name="page" value={page} />
        <input type="hidden" name="source" value="dialog" />
        <input type="hidden" name="text" value="" />
        <p>{recordWords.erasing}</p>
        <p className="mt-3 flex justify-end">
          <button name="choice" value="erase" className="button button-quiet">
            {recordWords.erase}
          </button>
        </p>
      </form>
    </section>
  );
}
