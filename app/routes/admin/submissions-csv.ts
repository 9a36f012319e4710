import { type LoaderFunctionArgs, createReadableStreamFromReadable } from "@remix-run/node";
import { answerHeaders } from "~/features/admin/shared/answer-headers.server";
import { parseFilter, submissionFilters } from "~/features/admin/shared/filters";
import { findSearchTerm } from "~/features/admin/shared/search-term.server";
import { writeSubmissionsCsv } from "~/features/admin/inbox/submissions-csv.server";
import { readAllSubmissions } from "~/features/admin/inbox/submissions.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { getSite } from "~/server/default-site.server";

/** A long list takes longer than a page may. */
const timeoutMs = 120_000;

/** The list of messages as a file: the filter that is open, narrowed by what is searched for. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  const { client, setCookies } = await requireAdminOr503(site, request, timeoutMs);
  const filter = parseFilter(submissionFilters, new URL(request.url).searchParams.get("filter"));
  const submissions = readAllSubmissions(client, {
    filter,
    search: findSearchTerm(site.cookies, request, "submissions"),
  });
  const headers = answerHeaders(setCookies);
  headers.set("Content-Type", "text/csv; charset=utf-8; header=present");
  headers.set("Content-Disposition", `attachment; filename="submissions-${filter}.csv"`);
  return new Response(createReadableStreamFromReadable(writeSubmissionsCsv(submissions)), { headers });
}
