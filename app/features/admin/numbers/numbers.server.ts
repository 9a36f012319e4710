import { z } from "zod";
import { retention } from "~/content/facts";
import { publicPaths } from "~/content/site-pages";
import { type CountKind, countKinds } from "~/lib/day-counts";
import { listDays, listMonths } from "~/lib/day-series";
import { type AdminResult, type AdminClient, readAdmin } from "../shared/admin-call.server";
import type { PeriodName } from "./period-form";

// Counted steps of members. The database counts them itself.
const networkCounts = ["asked", "confirmed", "left"] as const;

const kindSchema = z.enum(countKinds);

const countsSchema = z.object({
  times: z.array(z.object({ time: z.string(), kind: kindSchema, number: z.number() })),
  names: z.array(z.object({ kind: kindSchema, name: z.string(), number: z.number() })),
  network: z.array(z.object({ time: z.string(), name: z.enum(networkCounts), number: z.number() })),
});

/** Counts by kind. */
export type CountsByKind = Record<CountKind, number>;

/** Count of one name. */
export interface NamedCount {
  name: string;
  number: number;
}

/** Content of the numbers page. */
export interface Numbers {
  isByMonth: boolean;
  /** days or months, oldest first, including those without counts */
  times: ({ time: string } & CountsByKind)[];
  /** most viewed first; the page `(none)` holds messages from an unknown page */
  pages: ({ name: string } & CountsByKind)[];
  referrers: NamedCount[];
  campaigns: NamedCount[];
  banner: NamedCount[];
  /** days or months as in `times` */
  network: ({ time: string } & Record<(typeof networkCounts)[number], number>)[];
}

/**
 * Reads the counts of a period.
 * @param today ISO date in the firm's time zone
 */
export async function readNumbers(
  client: AdminClient,
  period: PeriodName,
  today: string,
): Promise<AdminResult<Numbers>> {
  const isByMonth = period === "year";
  const times = isByMonth ? listMonths(today, retention.dayCountMonths) : listDays(today, period === "week" ? 7 : 30);
  const [first = today] = times;
  const days = { first_day: isByMonth ? `${first}-01` : first, last_day: today, by_month: isByMonth };
  const result = await readAdmin(client, "read_day_counts", days, countsSchema);
  return result.ok ? { ok: true, data: toNumbers(result.data, times, isByMonth) } : result;
}

function toNumbers(counted: z.output<typeof countsSchema>, times: string[], isByMonth: boolean): Numbers {
  const sums = new Map(times.map((time) => [time, { time, ...zeroCounts() }]));
  for (const { time, kind, number } of counted.times) {
    const sum = sums.get(time);
    if (sum) sum[kind] = number;
  }
  const pages = new Map<string, { name: string } & CountsByKind>(
    [...publicPaths].map((name) => [name, { name, ...zeroCounts() }]),
  );
  for (const { kind, name, number } of counted.names) {
    if (kind !== "view" && kind !== "robot" && kind !== "prefetch" && kind !== "message") continue;
    const page = pages.get(name) ?? { name, ...zeroCounts() };
    page[kind] = number;
    pages.set(name, page);
  }
  const members = new Map(times.map((time) => [time, { time, asked: 0, confirmed: 0, left: 0 }]));
  for (const { time, name, number } of counted.network) {
    const sum = members.get(time);
    if (sum) sum[name] = number;
  }
  const ofKind = (wanted: CountKind) =>
    counted.names.flatMap(({ kind, name, number }) => (kind === wanted ? [{ name, number }] : []));
  return {
    isByMonth,
    times: [...sums.values()],
    pages: [...pages.values()].toSorted((one, other) => other.view - one.view || other.message - one.message),
    referrers: ofKind("referrer"),
    campaigns: ofKind("campaign"),
    banner: ofKind("banner"),
    network: [...members.values()],
  };
}

function zeroCounts(): CountsByKind {
  return { view: 0, robot: 0, prefetch: 0, referrer: 0, campaign: 0, message: 0, banner: 0 };
}
