import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { readBody } from "./edge/posted-body.server";
import { sendText } from "./send-text.server";

/** The directives of our policy, and their parts that browsers report by name; what a stranger invents is counted as another. */
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

/** Which part of the policy kept something out. */
export type PolicyDirective = (typeof directives)[number] | "(other)";

/** Browsers send what has come together in a minute; nobody honest sends more. */
const mostReports = 100;

const reportsSchema = z.array(z.object({ type: z.string(), body: z.object({ effectiveDirective: z.string() }) }));

/**
 * Takes reports: counts them by directive and forgets them, since they name pages and what a visitor's browser adds to them.
 * Answers 204, or 400 to what is none.
 */
export async function takePolicyReports(
  request: IncomingMessage,
  response: ServerResponse,
  count: (directive: PolicyDirective) => void,
): Promise<void> {
  const body = await readBody(request);
  if (body === null) return;
  const sent = parseJson(body);
  // The length first: each element of a long list would be looked at.
  const reports = Array.isArray(sent) && sent.length <= mostReports ? reportsSchema.safeParse(sent) : null;
  if (!reports?.success) return sendText(response, 400, "These are no reports of a browser.\n");
  for (const { type, body: violation } of reports.data) {
    if (type !== "csp-violation") continue;
    count(directives.find((name) => name === violation.effectiveDirective) ?? "(other)");
  }
  response.writeHead(204).end();
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
