import { z } from "zod";
import { countKinds, mostNamesInReport, namePattern, reportDays } from "../../../app/lib/day-counts.ts";
import { BackendUnavailable, isValueRefused, tryBackend } from "../_shared/host/backend.ts";
import { respond } from "../_shared/host/http.ts";
import { respondToSite } from "../_shared/host/site-call.ts";

const dayMs = 24 * 60 * 60 * 1000;

const namesSchema = z
  .record(z.string().regex(namePattern), z.int().positive().max(1_000_000_000))
  // Our own two names, (other) and (none), are additional.
  .refine((names) => Object.keys(names).length <= mostNamesInReport + 2);

const reportSchema = z.strictObject({
  id: z.uuid(),
  day: z.iso.date().refine((day) => Math.abs(Date.parse(day) - Date.now()) <= reportDays * dayMs),
  counts: z.partialRecord(z.enum(countKinds), namesSchema),
});

/**
 * Adds the site's counts of about a minute to the counts of a day. Accepts signed calls only: otherwise anyone with the
 * publishable key could invent numbers. A repeated report is added once.
 *
 * 200 when it is stored; 400 for an invalid report, which a retry cannot fix; 403 without a signature; 503 when nothing
 * was stored.
 */
export default respondToSite({
  name: "report-counts",
  failure: "counts-not-stored",
  schema: reportSchema,
  needsSignature: true,
  async serve({ id, day, counts }) {
    const { code } = await tryBackend("add_day_counts", { report: id, day, counts });
    if (code === null) return respond(200, { ok: true });
    // A retry would be rejected again and block all later reports.
    if (isValueRefused(code)) return respond(400, { error: "invalid" });
    throw new BackendUnavailable(code);
  },
});
