import { z } from "zod";
import { countKinds, mostNamesInReport, namePattern, reportDays } from "../../../app/lib/day-counts.ts";
import { BackendUnavailable, isValueRefused, secretBackend } from "../_shared/host/backend.ts";
import { answer, refuseUnlessPost } from "../_shared/host/http.ts";
import { logEvent } from "../_shared/host/runtime.ts";
import { readSiteCall } from "../_shared/host/site-call.ts";

/**
 * Adds what the site has counted in about a minute to the counts of a day. Takes signed calls only: with the publishable key
 * alone anybody could make up numbers. A report that comes again is added once.
 * 200 when it is kept; 400 for what is no report, now and ever; 403 without a signature; 503 when nothing was stored.
 */
export default { fetch: reportCounts };

const dayMs = 24 * 60 * 60 * 1000;

const namesSchema = z
  .record(z.string().regex(namePattern), z.int().positive().max(1_000_000_000))
  // The two that are ours come on top.
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
  if (!call.isSigned) return answer(403, { error: "unsigned" });
  const report = reportSchema.safeParse(call.value);
  if (!report.success) return answer(400, { error: "invalid" });
  try {
    const { id, day, counts } = report.data;
    const { error } = await secretBackend().rpc("add_day_counts", { report: id, day, counts });
    // Sent again it would be refused again, and hold up all later reports.
    if (error && isValueRefused(error.code)) return answer(400, { error: "invalid" });
    if (error) throw new BackendUnavailable(error.code || "unreachable");
    return answer(200, { ok: true });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "counts-not-stored", code });
    return answer(503, { error: "unavailable" });
  }
}
