import { z } from "zod";
import { BackendUnavailable, secretBackend } from "../_shared/host/backend.ts";
import { respond, refuseUnlessPost } from "../_shared/host/http.ts";
import { logEvent } from "../_shared/host/runtime.ts";
import { readSiteCall } from "../_shared/host/site-call.ts";
import { reportedEvents, reportedStates } from "../_shared/trouble.ts";

/**
 * Records the trouble that a process of the site knows of, about which deliver-outbox mails the firm. Accepts signed
 * calls only: otherwise anyone with the publishable key could have the firm mailed. A report has causes and no text.
 *
 * 200 when it is stored; 400 for an invalid report; 403 without a signature; 503 when nothing was stored.
 */
export default { fetch: reportTrouble };

const reportSchema = z.strictObject({
  causes: z.array(z.enum([...reportedStates, ...reportedEvents])).max(reportedStates.length + reportedEvents.length),
});

async function reportTrouble(request: Request): Promise<Response> {
  const wrongMethod = refuseUnlessPost(request);
  if (wrongMethod) return wrongMethod;
  const call = await readSiteCall(request, "report-trouble");
  if ("refusal" in call) return call.refusal;
  if (!call.isSigned) return respond(403, { error: "unsigned" });
  const report = reportSchema.safeParse(call.value);
  if (!report.success) return respond(400, { error: "invalid" });
  try {
    const { error } = await secretBackend().rpc("report_trouble", report.data);
    if (error) throw new BackendUnavailable(error.code || "unreachable");
    return respond(200, { ok: true });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "trouble-not-stored", code });
    return respond(503, { error: "unavailable" });
  }
}
