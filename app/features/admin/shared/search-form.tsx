import { adminPage } from "~/content/account/admin";

/** A search in one of the lists. */
export interface SearchFormProps {
  /** what is searched for now */
  search: string | null;
  /** where the form posts: what is searched for may be a name, so it never stands in an address */
  action: string;
}

/** Posts what is searched for; the list then shows only that until the search is cleared. */
export function SearchForm({ search, action }: SearchFormProps) {
  const words = adminPage.search;
  return (
    <search>
      <form method="post" action={action} className="grid gap-2">
        <label htmlFor="search" className="font-semibold">
          {words.label}
        </label>
        <p id="search-hint" className="text-(--muted)">
          {words.hint}
        </p>
        <div className="flex flex-wrap gap-3">
          <input
            id="search"
            name="search"
            type="search"
            maxLength={200}
            defaultValue={search ?? ""}
            aria-describedby="search-hint"
            className="control max-w-md flex-1"
          />
          <button name="intent" value="search" className="button button-quiet">
            {words.submit}
          </button>
        </div>
      </form>
      {search === null ? null : (
        <form method="post" action={action} className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="wrap-anywhere">{words.active(search)}</p>
          <button name="intent" value="search" className="link-button">
            {words.clear}
          </button>
        </form>
      )}
    </search>
  );
}
