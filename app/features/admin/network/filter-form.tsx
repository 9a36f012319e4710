import { networkFields, networkKinds } from "#supabase/functions/_shared/network-fields";
import { networkWords } from "~/content/pages/network";
import { type NetworkQuery, networkPath } from "./network-filters";

/** Selects a kind of investor and a field of interest by GET, so that the list's URL can be bookmarked. */
export function FilterForm({ state, kind, field }: NetworkQuery) {
  return (
    <form method="get" action={networkPath} className="member-filters">
      <input type="hidden" name="filter" value={state} />
      <div>
        <label htmlFor="kind">Kind</label>
        <select id="kind" name="kind" defaultValue={kind ?? ""} className="control">
          <option value="">All kinds</option>
          {networkKinds.map((name) => (
            <option key={name} value={name}>
              {networkWords.kinds[name]}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label htmlFor="field">Field of interest</label>
        <select id="field" name="field" defaultValue={field ?? ""} className="control">
          <option value="">All fields</option>
          {networkFields.map((name) => (
            <option key={name} value={name}>
              {networkWords.fields[name]}
            </option>
          ))}
        </select>
      </div>
      <button className="button button-quiet">Show</button>
    </form>
  );
}
