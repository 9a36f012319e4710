import { Link } from "@remix-run/react";
import { CharactersLeft } from "~/ui/forms/characters-left";
import { FieldError, described } from "~/ui/forms/field";
import { ListForm } from "./list-form";
import { searchLimit } from "./search-limit";

/** A search that was refused: what was typed, and what to do about it. */
export interface FailedSearch {
  typed: string;
  mistake: string;
}

/** A search in one of the lists. */
export interface SearchFormProps {
  /** what is searched for now */
  search: string | null;
  /** the whole list, where the form posts: what is searched for may be a name, so it never stands in an address */
  path: string;
}

/** Posts what is searched for; the answer is at an address of its own, and the list stays whole. */
export function SearchForm({ search, path, failed }: SearchFormProps & { failed: FailedSearch | null }) {
  return (
    <search className="contents">
      <ListForm action={path} className="admin-search">
        <label htmlFor="search" className="sr-only">
          Search name, email, company or text
        </label>
        <input
          // The box of another list says what that one is searched for.
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

/** Says above a list what it was searched for, or that the search of its address has ended. */
export function SearchStatus({ search, isOver, path }: SearchFormProps & { isOver: boolean }) {
  if (isOver) return <p>That search has ended. This is the whole list.</p>;
  if (search === null) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-4">
      <span className="wrap-anywhere">
        Showing results for “<bdi>{search}</bdi>
        ”.
      </span>
      <Link to={path} className="inline-flex min-h-11 items-center">
        Show the whole list
      </Link>
    </p>
  );
}
