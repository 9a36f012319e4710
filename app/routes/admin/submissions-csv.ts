import { type LoaderFunctionArgs, createReadableStreamFromReadable, redirect } from "@remix-run/node";
import { answerHeaders } from "~/lib/http/answer-headers";
import { submissionFilters } from "~/features/admin/shared/filters";
import { findListPlace } from "~/features/admin/shared/list-place.server";
import { writeSubmissionsCsv } from "~/features/admin/inbox/submissions-csv.server";
import { readAllSubmissions } from "~/features/admin/inbox/submissions.server";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { getSite } from "~/server/default-site.server";

/** A long list takes longer than a page may. */
const timeoutMs = 120_000;

/** The list of messages as a file: the filter that is open, narrowed by what is searched for. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  const admin = await requireAdminOr503(site, request, timeoutMs);
  const { client, setCookies } = admin;
  const { pathname, search } = new URL(request.url);
  requireRecent(admin, pathname + search);
  const place = findListPlace(site.cookies, request, "submissions", { filters: submissionFilters, searched: "all" });
  // Whoever asked for what was found must not get everything.
  if (place.isSearchOver) return redirect("/admin", { status: 303, headers: answerHeaders(setCookies) });
  const submissions = readAllSubmissions(client, place);
  const headers = answerHeaders(setCookies);
  headers.set("Content-Type", "text/csv; charset=utf-8; header=present");
  headers.set("Content-Disposition", `attachment; filename="submissions-${place.filter}.csv"`);
  return new Response(createReadableStreamFromReadable(writeSubmissionsCsv(submissions)), { headers });
}
