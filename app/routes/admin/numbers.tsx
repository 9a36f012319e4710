import { retention } from "~/content/facts";
import { unlistedMetaFor } from "~/content/page-meta";
import { readAnswerTimes } from "~/features/admin/inbox/answer-times.server";
import { Figures } from "~/features/admin/numbers/figures";
import { readNumbers } from "~/features/admin/numbers/numbers.server";
import { NumbersView } from "~/features/admin/numbers/numbers-view";
import { PeriodForm, periodNames, periodWords } from "~/features/admin/numbers/period-form";
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
  const today = site.clock.today();
  const [numbers, months] = await Promise.all([readNumbers(client, period, today), readAnswerTimes(client)]);
  const isIn = ({ month }: { month: string }) => period === "year" || month === today.slice(0, 7);
  return {
    numbers: requireData(numbers),
    months: requireData(months).filter(isIn),
    period,
    isCounting: site.secrets.site() !== null,
  };
});

export default adminPage<typeof loader>(function NumbersPage({ found: { numbers, months, period, isCounting } }) {
  return (
    <AdminFrame subtitle={title} area="numbers">
      {isCounting ? null : (
        <Notice
          tone="info"
          title="Views are not counted"
          text="This site uses a hosted project, and the setting SITE_KEY is missing. docs/operations/hosted.md explains it to your site operator."
        />
      )}
      <Figures numbers={numbers} months={months} period={periodWords[period]} />
      <PeriodForm period={period} />
      <div>
        <NumbersView numbers={numbers} />
      </div>
      <p className="max-w-[43.5em] text-(--muted)">{`The server counts these itself, without cookies, without storing anything on visitors’ devices, and without keeping IP addresses. It stores only daily totals, for ${retention.dayCountMonths}\u00a0months. They are up to about a minute old.`}</p>
      <UnreadableEntries />
    </AdminFrame>
  );
});
