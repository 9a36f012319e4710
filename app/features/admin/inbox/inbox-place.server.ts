import type { SiteContext } from "~/server/site-context.server";
import { submissionFilters } from "../shared/filters";
import { readListQuery } from "../shared/list-query.server";

/** Reads the list that an address of the inbox or of a message names: by default, the messages that wait. */
export function readInboxPlace(site: SiteContext, request: Request) {
  return readListQuery(site, request, "submissions", { filters: submissionFilters, searched: "all" });
}
