import { type LoaderFunctionArgs, data } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { replyPromise } from "~/content/company";
import { unlistedMetaFor } from "~/content/page-meta";
import { readAnswerTimes } from "~/features/admin/inbox/answer-times.server";
import { AnswerTimesTable } from "~/features/admin/inbox/answer-times-table";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";

const title = "Response times";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const times = await readAnswerTimes(client);
  if (!times.ok) throw new Response(null, { status: times.status });
  return data(
    { months: times.data, unreadable: client.unreadable, generatedPasswordOf },
    { headers: createAdminHeaders(setCookies) },
  );
}

export default function AnswerTimesPage() {
  const { months, unreadable, generatedPasswordOf } = useLoaderData<typeof loader>();
  return (
    <AdminFrame subtitle={title} area="submissions" overdueRequests={null} generatedPasswordOf={generatedPasswordOf}>
      <p className="max-w-[43.5em]">{`The site promises a reply within ${replyPromise}. A message counts as answered when the mail server took a reply written here, or when someone marks it as done, here or with the link in an email. Spam does not count. The median covers answered messages. “On time” counts messages answered within the promise, out of all that were answered or are late.`}</p>
      <AnswerTimesTable months={months} />
      <UnreadableEntries ids={unreadable} />
    </AdminFrame>
  );
}
