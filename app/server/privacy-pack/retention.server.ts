import { periodsCountFrom } from "~/content/processing/terms";
import { readPeriods } from "./record-of-processing.server";
import type { SiteDatabase } from "./site-database.server";

/** How long what is kept, and what was deleted in this month and the eleven before. */
export async function describeRetention(database: SiteDatabase) {
  const periods = await readPeriods(database);
  const [lastRun] = await database.read<{ at: string; source: string }>(
    "select ran_at as at, source from private.retention_runs order by ran_at desc limit 1",
  );
  return {
    schedule: periods.map(({ kind, period }) => ({ kind, kept: `${period} ${periodsCountFrom[kind] ?? ""}`.trim() })),
    lastRun: lastRun ?? null,
    deletedByMonth: await readDeletions(database),
    remarks: [
      "Runs delete by themselves, once a day; each writes down how much. The other columns are what people had deleted.",
      "Deleted with a message or request, and not counted apart: its search words, log, links and handed-over data.",
    ],
  };
}

/** A month, and by kind how much was deleted in it. */
type Month = Record<string, string | number>;

async function readDeletions({ read }: SiteDatabase): Promise<Month[]> {
  const months = await read<Month>(`
    select to_char(month, 'YYYY-MM') as month,
      (select count(*)::int from private.retention_runs where ${monthOf("ran_at")} = month) as runs,
      (select count(*)::int from private.erasure_tombstones where ${monthOf("erased_at")} = month) as "peopleErased",
      (select count(*)::int from public.admin_events
       where action = 'submission-deleted' and ${monthOf("at")} = month) as "messagesDeletedByStaff"
    from generate_series(${firstMonth}, ${thisMonth}, interval '1 month') as month
    order by month`);
  const deleted = await read<{ month: string; kind: string; amount: number }>(`
    select to_char(${monthOf("ran_at")}, 'YYYY-MM') as month, kind, sum(amount::bigint)::int as amount
    from private.retention_runs, jsonb_each_text(counts) as counted (kind, amount)
    where ${monthOf("ran_at")} >= ${firstMonth}
    group by 1, 2
    order by kind`);
  const kinds = [...new Set(deleted.map(({ kind }) => kind))];
  return months.map((month) => {
    const ofMonth = new Map(deleted.filter((row) => row.month === month.month).map((row) => [row.kind, row.amount]));
    return { ...month, ...Object.fromEntries(kinds.map((kind) => [kind, ofMonth.get(kind) ?? 0])) };
  });
}

/** SQL for the month of an instant at the firm. */
function monthOf(at: string): string {
  return `date_trunc('month', private.local_day(${at})::timestamp)`;
}

const thisMonth = monthOf("now()");
const firstMonth = `${thisMonth} - interval '11 months'`;
