import { z } from "zod";
import type { AdminPost } from "~/features/auth/admin-page.server";
import { parseForm } from "~/server/forms/parse-form.server";
import type { FailedSearch } from "./search-form";
import { type AdminList, findFailedSearch, searchTermSchema, storeSearch } from "./search-term.server";

const searchSchema = z.object({ search: searchTermSchema });

/** Makes the action of a list's page: it starts or ends a search. A term may be a person's name, so no URL holds it. */
export function searchList(list: AdminList, path: string) {
  return async ({ request, site, form, show, leadTo }: AdminPost<{ failedSearch: FailedSearch }>) => {
    const submission = parseForm(form, searchSchema);
    if (submission.status !== "success") return show({ failedSearch: findFailedSearch(form, submission.error) }, 400);
    const search = storeSearch(site.cookies, request, list, submission.value.search);
    if (search === null) return leadTo(path);
    return leadTo(`${path}?search=${search.id}`, undefined, [search.setCookie]);
  };
}
