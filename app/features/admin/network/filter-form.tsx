import { networkFields, networkKinds } from "#supabase/functions/_shared/network-fields";
import { networkWords } from "~/content/pages/network";
import { SelectField } from "~/ui/forms/select-field";
import { type NetworkQuery, networkPath } from "./network-filters";

/** Selects a kind of investor and a field of interest by GET, so that the list's URL can be bookmarked. */
export function FilterForm({ state, kind, field, searchId }: NetworkQuery) {
  return (
    <form method="get" action={networkPath} className="member-filters">
      <input type="hidden" name="filter" value={state} />
      {searchId === null ? null : <input type="hidden" name="search" value={searchId} />}
      <SelectField
        id="kind"
        name="kind"
        label="Kind"
        placeholder="All kinds"
        options={networkKinds.map((value) => ({ value, label: networkWords.kinds[value] }))}
        defaultValue={kind ?? ""}
      />
      <SelectField
        id="field"
        name="field"
        label="Field of interest"
        placeholder="All fields"
        options={networkFields.map((value) => ({ value, label: networkWords.fields[value] }))}
        defaultValue={field ?? ""}
      />
      <button className="button button-quiet">Show</button>
    </form>
  );
}
