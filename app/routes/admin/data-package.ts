import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { answerHeaders } from "~/features/admin/shared/answer-headers.server";
import { exportSubjectData } from "~/features/admin/rights-requests/requests.server";
import { writeSubjectDataPage } from "~/features/admin/rights-requests/subject-data-page.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { guardPost } from "~/server/forms/guard.server";
import { getSite } from "~/server/default-site.server";

const packageSchema = z.object({ id: z.uuid(), format: z.enum(["json", "html"]) });

/** Everything held about the person behind a request, as a file. A POST, because the log keeps every download. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const { client, setCookies } = await requireAdminOr503(site, request);
  const wanted = packageSchema.safeParse({ id: params.requestId, format: form.get("format") });
  if (!wanted.success) throw new Response(null, { status: 400, statusText: "Bad Request" });
  const { id, format } = wanted.data;
  const subjectData = await exportSubjectData(client, id);
  if (!subjectData.ok) throw new Response(subjectData.text, { status: subjectData.status });
  const body =
    format === "html" ? writeSubjectDataPage(subjectData.data) : `${JSON.stringify(subjectData.data, null, 2)}\n`;
  const headers = answerHeaders(setCookies);
  headers.set("Content-Type", format === "html" ? "text/html; charset=utf-8" : "application/json");
  headers.set("Content-Disposition", `attachment; filename="${String(subjectData.data.reference)}.${format}"`);
  return new Response(body, { headers });
}
