import { adminRequestsPage } from "~/content/account/admin-requests";
import type { ErasurePlace } from "~/content/request-mails";

/** The list of what an admin has done by hand. */
export interface ElsewhereListProps {
  /** where the person's data may be that no erasure on this site reaches */
  places: readonly ErasurePlace[];
  ticked: readonly string[];
}

/** Nothing has to be ticked: the mail to the person says what was done and what was not. */
export function ElsewhereList({ places, ticked }: ElsewhereListProps) {
  const { title, hint, places: words } = adminRequestsPage.actions.erase.elsewhere;
  return (
    <fieldset aria-describedby="elsewhere-hint">
      <legend className="font-semibold">{title}</legend>
      <p id="elsewhere-hint" className="text-(--muted)">
        {hint}
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
            {words[place]}
          </label>
        </div>
      ))}
    </fieldset>
  );
}
