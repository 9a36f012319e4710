import { retention } from "~/content/facts";
import { unlistedMetaFor } from "~/content/page-meta";
import { readNumbers } from "~/features/admin/numbers/numbers.server";
import { NumbersView } from "~/features/admin/numbers/numbers-view";
import { PeriodForm, periodNames } from "~/features/admin/numbers/period-form";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { parseFilter } from "~/features/admin/shared/filters";
import { adminHeaders, adminLoader, requireData } from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { Notice } from "~/ui/frame/notice";

const title = "Numbers";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export const loader = adminLoader(async ({ site, client, request }) => {
  const period = parseFilter(periodNames, new URL(request.url).searchParams.get("period"));
  const numbers = requireData(await readNumbers(client, period, site.clock.today()));
  return { numbers, period, isCounting: site.secrets.site() !== null };
});

export default adminPage<typeof loader>(function NumbersPage({ found: { numbers, period, isCounting } }) {
  return (
    <AdminFrame subtitle={title} area="numbers">
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
      <UnreadableEntries />
    </AdminFrame>
  );
});
