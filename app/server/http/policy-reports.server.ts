import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { addressOf } from "~/lib/http/client-address";
import { reportsPath } from "~/lib/http/reports-path";
import type { Settings } from "../config/settings.server";
import type { RateLimits } from "../limits/rate-limit.server";
import type { Step } from "./edge/exchange.server";
import type { BodyReader } from "./edge/posted-body.server";
import type { RequestFailures } from "./edge/request-failures.server";
import { sendText } from "./send-text.server";

/** Directives of our policy, and the parts of them that browsers report by name. All others count as `(other)`. */
const directives = [
  "default-src",
  "script-src",
  "script-src-elem",
  "script-src-attr",
  "style-src",
  "style-src-elem",
  "style-src-attr",
  "img-src",
  "font-src",
  "connect-src",
  "manifest-src",
  "form-action",
  "base-uri",
  "frame-ancestors",
] as const;

/** The directive that blocked a resource. */
export type PolicyDirective = (typeof directives)[number] | "(other)";

/** Browsers batch the reports of one minute. No real browser exceeds either limit. */
const maxReports = 100;
const maxBytes = 8 * 1024;

const reportsSchema = z.array(z.object({ type: z.string(), body: z.object({ effectiveDirective: z.string() }) }));

/** Dependencies of the report step. */
export interface ReportDependencies {
  settings: Pick<Settings, "trustedProxies">;
  bodies: BodyReader;
  countReport: RateLimits["countReport"];
  countViolation: (directive: PolicyDirective) => void;
  failures: Pick<RequestFailures, "end">;
}

/**
 * Creates the step that receives violation reports. It counts them by directive and discards them, because they name
 * pages and may contain content from a visitor's browser extensions. Responds with 204; 400 to a body without reports,
 * 413 to one over 8 kB, and 429 to a client that sends too many.
 */
export function receiveReports({ settings, bodies, countReport, countViolation, failures }: ReportDependencies): Step {
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const rate = await countReport(addressOf(request, settings.trustedProxies));
    if (!rate.allowed) {
      const headers = { "Retry-After": String(rate.retryAfterSeconds) };
      return sendText(response, 429, "Too many reports. Send them later.\n", headers);
    }
    const body = await bodies.read(request, response);
    if (body === null) return;
    if (body.length > maxBytes) return sendText(response, 413, "These reports are too large.\n");
    const sent = parseJson(body);
    // Check the length first: zod would validate every element of a long list.
    const reports = Array.isArray(sent) && sent.length <= maxReports ? reportsSchema.safeParse(sent) : null;
    if (!reports?.success) return sendText(response, 400, "These are no reports of a browser.\n");
    for (const { type, body: violation } of reports.data) {
      if (type !== "csp-violation") continue;
      countViolation(directives.find((name) => name === violation.effectiveDirective) ?? "(other)");
    }
    response.writeHead(204).end();
  }

  return (exchange, next) => {
    const { request, response, requestId } = exchange;
    if (request.method !== "POST" || request.url !== reportsPath) return next();
    exchange.route = reportsPath;
    receive(request, response).catch((error: unknown) => failures.end(error, response, requestId));
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
