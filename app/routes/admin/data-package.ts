import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { z } from "zod";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { exportSubjectData } from "~/features/admin/rights-requests/requests.server";
import { createPackageResponse, packageFormat } from "~/features/data-rights/data-package.server";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { guardPost } from "~/server/forms/guard.server";
import { getSite } from "~/server/default-site.server";

const packageSchema = z.object({ id: z.uuid(), format: packageFormat });

/** Redirects a GET to the request's page, which has the download buttons. */
export function loader({ params }: LoaderFunctionArgs) {
  return redirect(`/admin/requests/${encodeURIComponent(params.requestId ?? "")}`, {
    status: 303,
    headers: createAdminHeaders([]),
  });
}

/** Downloads all data stored about a requester as a file. A POST, because every download is logged. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const admin = await requireAdminOr503(site, request);
  const { client, setCookies } = admin;
  const wanted = packageSchema.safeParse({ id: params.requestId, format: form.get("format") });
  if (!wanted.success) throw new Response(null, { status: 400, statusText: "Bad Request" });
  const { id, format } = wanted.data;
  requireRecent(admin, `/admin/requests/${id}`);
  const subjectData = await exportSubjectData(client, id);
  if (!subjectData.ok) throw new Response(subjectData.text, { status: subjectData.status });
  return createPackageResponse(site.settings, subjectData.data, format, createAdminHeaders(setCookies));
}
