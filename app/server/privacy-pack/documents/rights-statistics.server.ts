import type { SiteDatabase } from "../site-database.server";

/** How requests about data rights were answered, by type and in all. */
export async function countRightsRequests({ read }: SiteDatabase) {
  const [erasures] = await read<{ erased: number; erasedInTwelveMonths: number }>(`
    select count(*)::int as erased,
      count(*) filter (where erased_at >= now() - interval '12 months')::int as "erasedInTwelveMonths"
    from private.erasure_tombstones`);
  return {
    byType: await read<Record<string, string | number | null>>(statistics),
    answeredByErasure: erasures,
    remarks: [
      "Counted is what is kept: a request that was answered by an erasure is deleted with everything else, and only counted as that.",
      "Days are from receipt until it was completed or refused. Overdue is what is confirmed, open and past its day.",
    ],
  };
}

const statistics = `
  select coalesce(request_type, 'all') as type,
    count(*)::int as received,
    count(*) filter (where received_at >= now() - interval '12 months')::int as "receivedInTwelveMonths",
    count(*) filter (where state = 'unconfirmed')::int as unconfirmed,
    count(*) filter (where state in ('open', 'in_progress'))::int as open,
    count(*) filter (where state in ('open', 'in_progress') and due_on < private.today())::int as overdue,
    count(*) filter (where state = 'completed')::int as completed,
    count(*) filter (where state = 'refused')::int as refused,
    count(*) filter (where state = 'withdrawn')::int as withdrawn,
    count(*) filter (where extended_at is not null)::int as extended,
    count(*) filter (
      where state in ('completed', 'refused') and private.local_day(closed_at) > due_on
    )::int as "answeredLate",
    round((percentile_cont(0.5) within group (order by extract(epoch from closed_at - received_at) / 86400)
      filter (where state in ('completed', 'refused')))::numeric, 1)::float as "medianDays"
  from public.data_rights_requests
  group by grouping sets ((request_type), ())
  order by request_type nulls first`;
