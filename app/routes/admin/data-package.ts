import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { z } from "zod";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { exportSubjectData } from "~/features/admin/rights-requests/requests.server";
import { createPackageResponse, packageFormat } from "~/features/data-rights/data-package.server";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { badRequest, receiveAdminPost } from "~/features/auth/admin-page.server";

const packageSchema = z.object({ id: z.uuid(), format: packageFormat });

/** Redirects a GET to the request's page, which has the download buttons. */
export function loader({ params }: LoaderFunctionArgs) {
  return redirect(`/admin/requests/${encodeURIComponent(params.requestId ?? "")}`, {
    status: 303,
    headers: createAdminHeaders([]),
  });
}

/** Downloads all data stored about a requester as a file. A POST, because every download is logged. */
export async function action(args: ActionFunctionArgs) {
  const { params, site, form, admin } = await receiveAdminPost(args);
  const { client, setCookies } = admin;
  const wanted = packageSchema.safeParse({ id: params.requestId, format: form.get("format") });
  if (!wanted.success) throw badRequest();
  const { id, format } = wanted.data;
  requireRecent(admin, `/admin/requests/${id}`);
  const subjectData = await exportSubjectData(client, id);
  if (!subjectData.ok) throw new Response(subjectData.text, { status: subjectData.status });
  return createPackageResponse(site.settings, subjectData.data, format, createAdminHeaders(setCookies));
}
