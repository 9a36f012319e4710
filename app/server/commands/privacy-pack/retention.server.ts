import { type TableRow, writeTable } from "./markdown-table.server";
import { readPeriods } from "./record-of-processing.server";
import type { ReadDatabase } from "./site-database.server";

/**
 * Collects the proof of deletion: how long data is retained, and how much was deleted in this month and in each of the
 * eleven before.
 */
export async function describeRetention(read: ReadDatabase) {
  const [lastRun] = await read<{ at: string; source: string }>(
    "select ran_at as at, source from private.retention_runs order by ran_at desc limit 1",
  );
  return {
    schedule: await readPeriods(read),
    lastRun: lastRun ?? null,
    deletedByMonth: await readDeletions(read),
  };
}

/**
 * Writes the proof in Markdown.
 * @param about line under the title
 */
export function writeRetention(
  { schedule, lastRun, deletedByMonth }: Awaited<ReturnType<typeof describeRetention>>,
  about: string,
  timeZone: string,
): string {
  return [
    "# Retention, and proof of deletion",
    about,
    "## How long data is kept",
    writeTable(schedule, timeZone),
    "## Last run",
    writeTable(lastRun ? [lastRun] : [], timeZone),
    "## Deleted by month",
    writeTable(deletedByMonth, timeZone),
    "Runs delete automatically once a day and record the counts. The other columns count what people had deleted.",
    "The search words, log, links and provided data of a message or request are deleted with it and not counted separately.\n",
  ].join("\n\n");
}

/** Reads the number of deletions by month and kind. */
async function readDeletions(read: ReadDatabase): Promise<TableRow[]> {
  const months = await read<{ month: string; deleted: Record<string, number> | null }>(`
    select to_char(month, 'YYYY-MM') as month,
      (select count(*)::int from private.retention_runs where ${monthOf("ran_at")} = month) as runs,
      (select count(*)::int from private.erasure_tombstones where ${monthOf("erased_at")} = month) as "peopleErased",
      (select count(*)::int from public.admin_events
       where action = 'submission-deleted' and ${monthOf("at")} = month) as "messagesDeletedByStaff",
      (select json_object_agg(kind, amount) from (
         select kind, sum(amount::bigint) as amount
         from private.retention_runs, jsonb_each_text(counts) as counted (kind, amount)
         where ${monthOf("ran_at")} = month
         group by kind
       ) as sums) as deleted
    from generate_series(${thisMonth} - interval '11 months', ${thisMonth}, interval '1 month') as month
    order by month`);
  const kinds = [...new Set(months.flatMap(({ deleted }) => Object.keys(deleted ?? {})))].toSorted();
  return months.map(({ deleted, ...month }) => ({
    ...month,
    ...Object.fromEntries(kinds.map((kind) => [kind, deleted?.[kind] ?? 0])),
  }));
}

/** Returns SQL for the month of an instant in the firm's time zone. */
function monthOf(at: string): string {
  return `date_trunc('month', private.local_day(${at})::timestamp)`;
}

const thisMonth = monthOf("now()");
