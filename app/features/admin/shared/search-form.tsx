import { CharactersLeft } from "~/ui/forms/characters-left";
import { FieldError, described } from "~/ui/forms/field";
import { ListForm } from "./list-form";
import { searchLimit } from "./search-limit";

/** A rejected search: the typed term, and how to fix it. */
export interface FailedSearch {
  typed: string;
  mistake: string;
}

/** Search of one of the lists. */
interface SearchFormProps {
  /** current search term */
  search: string | null;
  /** path of the full list; the form posts there, because a search term may be a name and must not be in a URL */
  path: string;
  failed: FailedSearch | null;
}

/** Posts a search term. The results get their own URL. */
export function SearchForm({ search, path, failed }: SearchFormProps) {
  return (
    <search className="contents">
      <ListForm action={path} className="admin-search">
        <label htmlFor="search" className="sr-only">
          Search name, email, company or text
        </label>
        <input
          // Resets the box when another search's results load.
          key={search ?? ""}
          id="search"
          name="search"
          type="search"
          dir="auto"
          {...described("search", undefined, failed?.mistake)}
          defaultValue={failed?.typed ?? search ?? ""}
          placeholder="Name, email or text"
          className="control"
        />
        <button name="intent" value="search" className="button button-quiet">
          Search
        </button>
      </ListForm>
      {failed ? <FieldError id="search" text={failed.mistake} /> : null}
      <CharactersLeft controlId="search" limit={searchLimit} />
    </search>
  );
}
