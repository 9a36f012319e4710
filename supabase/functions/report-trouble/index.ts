import { z } from "zod";
import { callBackend } from "../_shared/host/backend.ts";
import { respond } from "../_shared/host/http.ts";
import { respondToSite } from "../_shared/host/site-call.ts";
import { reportedEvents, reportedStates } from "../_shared/trouble.ts";

const reportSchema = z.strictObject({
  causes: z.array(z.enum([...reportedStates, ...reportedEvents])).max(reportedStates.length + reportedEvents.length),
});

/**
 * Records the trouble that a process of the site knows of, about which deliver-outbox mails the firm. Accepts signed
 * calls only: otherwise anyone with the publishable key could have the firm mailed. A report has causes and no text.
 *
 * 200 when it is stored; 400 for an invalid report; 403 without a signature; 503 when nothing was stored.
 */
export default respondToSite({
  name: "report-trouble",
  failure: "trouble-not-stored",
  schema: reportSchema,
  needsSignature: true,
  async serve(report) {
    await callBackend("report_trouble", report);
    return respond(200, { ok: true });
  },
});
