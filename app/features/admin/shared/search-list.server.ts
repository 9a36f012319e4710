import { z } from "zod";
import { parseForm } from "~/server/forms/parse-form.server";
import type { FailedSearch } from "./search-form";
import { type AdminList, type SearchSite, findFailedSearch, searchTermSchema, storeSearch } from "./search-term.server";

const searchSchema = z.object({ search: searchTermSchema });

/** The parts of a post to an admin page that a search needs. */
interface SearchPost<Shown, Led> {
  request: Request;
  site: SearchSite;
  form: FormData;
  show: (shown: { failedSearch: FailedSearch }, status: number) => Shown;
  leadTo: (path: string, notice: undefined, setCookies: readonly string[]) => Led;
}

/** Makes the action of a list's page: it starts or ends a search. A term may be a person's name, so no URL holds it. */
export function searchList(list: AdminList, path: string) {
  return async <Shown, Led>({ request, site, form, show, leadTo }: SearchPost<Shown, Led>): Promise<Shown | Led> => {
    const submission = parseForm(form, searchSchema);
    if (submission.status !== "success") return show({ failedSearch: findFailedSearch(form, submission.error) }, 400);
    const search = storeSearch(site, request, list, submission.value.search);
    if (search === null) return leadTo(path, undefined, []);
    return leadTo(`${path}?search=${search.id}`, undefined, [search.setCookie]);
  };
}
