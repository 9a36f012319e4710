import { type LoaderFunctionArgs, data } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { retention } from "~/content/facts";
import { unlistedMetaFor } from "~/content/page-meta";
import { readNumbers } from "~/features/admin/numbers/numbers.server";
import { NumbersView } from "~/features/admin/numbers/numbers-view";
import { PeriodForm } from "~/features/admin/numbers/period-form";
import { periodNames } from "~/features/admin/numbers/periods";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { parseFilter } from "~/features/admin/shared/filters";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";
import { Notice } from "~/ui/frame/notice";

const title = "Numbers";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(site, request);
  const period = parseFilter(periodNames, new URL(request.url).searchParams.get("period"));
  const numbers = await readNumbers(client, period, site.clock.today());
  if (!numbers.ok) throw new Response(null, { status: numbers.status });
  const isCounting = site.secrets.site() !== null;
  return data(
    { numbers: numbers.data, unreadable: client.unreadable, period, isCounting, generatedPasswordOf },
    { headers: createAdminHeaders(setCookies) },
  );
}

export default function NumbersPage() {
  const { numbers, unreadable, period, isCounting, generatedPasswordOf } = useLoaderData<typeof loader>();
  return (
    <AdminFrame subtitle={title} area="numbers" overdueRequests={null} generatedPasswordOf={generatedPasswordOf}>
      {isCounting ? null : (
        <Notice
          tone="info"
          title="Views are not counted"
          text="This site uses a hosted project, and the setting SITE_KEY is missing. docs/operations/hosted.md explains it to your site operator."
        />
      )}
      <p className="max-w-[43.5em]">{`The server counts these itself, without cookies, without storing anything on visitors’ devices, and without keeping IP addresses. It stores only daily totals, for ${retention.dayCountMonths}\u00a0months. They are up to about a minute old.`}</p>
      <PeriodForm period={period} />
      <NumbersView numbers={numbers} />
      <UnreadableEntries ids={unreadable} />
    </AdminFrame>
  );
}
