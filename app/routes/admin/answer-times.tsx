import { type LoaderFunctionArgs, data } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { answerTimesPage } from "~/content/account/answer-times";
import { unlistedMetaFor } from "~/content/page-meta";
import { readAnswerTimes } from "~/features/admin/inbox/answer-times.server";
import { AnswerTimesTable } from "~/features/admin/inbox/answer-times-table";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { answerHeaders } from "~/lib/http/answer-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";

export const meta = unlistedMetaFor(answerTimesPage);

export const handle = adminAreaHandle;

/** Nothing of this page may stay in any cache. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const times = await readAnswerTimes(client);
  if (!times.ok) throw new Response(null, { status: times.status });
  return data({ months: times.data, generatedPasswordOf }, { headers: answerHeaders(setCookies) });
}

export default function AnswerTimesPage() {
  const { months, generatedPasswordOf } = useLoaderData<typeof loader>();
  return (
    <AdminFrame
      subtitle={answerTimesPage.title}
      area="submissions"
      overdueRequests={null}
      generatedPasswordOf={generatedPasswordOf}
    >
      <p className="max-w-[68ch]">{answerTimesPage.lead}</p>
      <AnswerTimesTable months={months} />
    </AdminFrame>
  );
}
