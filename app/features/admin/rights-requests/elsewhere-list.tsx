import type { ErasurePlace } from "~/content/request-mails";

const labels: Record<ErasurePlace, string> = {
  mailbox: "Deleted the person’s emails, and this site’s emails about them, from our mailboxes",
  exports: "Deleted the person from downloaded CSV files and data packages",
  advisers: "Told advisors and others who received the data to delete it",
  google: "Deleted the person’s visits from Google Analytics, as far as we can identify them",
};

/** Checklist of deletions that an admin made by hand. */
export interface ElsewhereListProps {
  /** places with the person's data that an erasure on this site does not reach */
  places: readonly ErasurePlace[];
  ticked: readonly string[];
}

/** All boxes are optional: the mail to the person lists what was done and what was not. */
export function ElsewhereList({ places, ticked }: ElsewhereListProps) {
  return (
    <fieldset aria-describedby="elsewhere-hint">
      <legend className="font-semibold">This site can’t reach other copies. What have you done about them?</legend>
      <p id="elsewhere-hint" className="text-(--muted)">
        What you check becomes part of the proof of erasure and of the email to the requester.
      </p>
      {places.map((place) => (
        <div key={place} className="flex items-start">
          <input
            type="checkbox"
            id={`elsewhere-${place}`}
            name="elsewhere"
            value={place}
            defaultChecked={ticked.includes(place)}
            className="my-2.5 mr-3 h-6 w-6 shrink-0 accent-(--accent)"
          />
          <label htmlFor={`elsewhere-${place}`} className="py-2.5">
            {labels[place]}
          </label>
        </div>
      ))}
    </fieldset>
  );
}
