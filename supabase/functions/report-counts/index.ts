import { z } from "zod";
import { countKinds, mostNamesInReport, namePattern, reportDays } from "../../../app/lib/day-counts.ts";
import { BackendUnavailable, isValueRefused, secretBackend } from "../_shared/host/backend.ts";
import { respond, refuseUnlessPost } from "../_shared/host/http.ts";
import { logEvent } from "../_shared/host/runtime.ts";
import { readSiteCall } from "../_shared/host/site-call.ts";

/**
 * Adds the site's counts of about a minute to the counts of a day. Accepts signed calls only: otherwise anyone with the
 * publishable key could invent numbers. A repeated report is added once.
 *
 * 200 when it is stored; 400 for an invalid report, which a retry cannot fix; 403 without a signature; 503 when nothing
 * was stored.
 */
export default { fetch: reportCounts };

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

async function reportCounts(request: Request): Promise<Response> {
  const wrongMethod = refuseUnlessPost(request);
  if (wrongMethod) return wrongMethod;
  const call = await readSiteCall(request, "report-counts");
  if ("refusal" in call) return call.refusal;
  if (!call.isSigned) return respond(403, { error: "unsigned" });
  const report = reportSchema.safeParse(call.value);
  if (!report.success) return respond(400, { error: "invalid" });
  try {
    const { id, day, counts } = report.data;
    const { error } = await secretBackend().rpc("add_day_counts", { report: id, day, counts });
    // A retry would be rejected again and block all later reports.
    if (error && isValueRefused(error.code)) return respond(400, { error: "invalid" });
    if (error) throw new BackendUnavailable(error.code || "unreachable");
    return respond(200, { ok: true });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "counts-not-stored", code });
    return respond(503, { error: "unavailable" });
  }
}
