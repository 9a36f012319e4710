import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { type EntryContext, createReadableStreamFromReadable } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { isHydrated } from "./lib/hydration";
import { describeError, logProblem } from "./server/log.server";
import { securityHeaders } from "./server/security-headers.server";
import { getSettings } from "./server/settings.server";
import { NonceProvider } from "./ui/nonce";

export { startServer } from "./server/http/start.server";

const renderTimeoutMs = 5_000;

/** Renders a page and gives it the headers that belong to the application. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const { matches } = context.staticHandlerContext;
  const hydrated = matches.some(({ route }) => isHydrated({ handle: context.routeModules[route.id]?.handle }));
  const nonce = hydrated ? randomBytes(16).toString("base64") : null;
  setDocumentHeaders(headers, status, nonce);
  return new Promise((resolve, reject) => {
    // A page that goes nowhere without its data is sent whole, so that a failure while rendering is still a clean 500.
    const ready = hydrated && !isbot(request.headers.get("user-agent")) ? "onShellReady" : "onAllReady";
    const { pipe, abort } = renderToPipeableStream(
      <NonceProvider value={nonce ?? undefined}>
        <RemixServer context={context} url={request.url} abortDelay={renderTimeoutMs} nonce={nonce ?? undefined} />
      </NonceProvider>,
      {
        nonce: nonce ?? undefined,
        [ready]() {
          const body = new PassThrough();
          // Left running, the timer would hold the process open for seconds after SIGTERM.
          body.on("close", () => clearTimeout(timer));
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }));
          pipe(body);
        },
        onShellError: reject,
        onError(error) {
          if (request.signal.aborted) return;
          logProblem({ event: "page.render-failed", ...describeError(error) });
        },
      },
    );
    const timer = setTimeout(abort, renderTimeoutMs);
  });
}

/** Gives the answers that scripts fetch the same headers as pages. */
export function handleDataRequest(response: Response): Response {
  applySecurityHeaders(response.headers, null);
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  return response;
}

/** Takes what a loader or an action threw; the log names it without quoting it. */
export function handleError(error: unknown, { request, context }: { request: Request; context: { requestId?: string } }): void {
  if (request.signal.aborted) return;
  logProblem({ event: "request.failed", requestId: context.requestId, ...describeError(error) });
}

function setDocumentHeaders(headers: Headers, status: number, nonce: string | null): void {
  headers.set("Content-Type", "text/html; charset=utf-8");
  applySecurityHeaders(headers, nonce);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", headers.has("Set-Cookie") ? "no-store" : "no-cache");
  if (status === 405 && !headers.has("Allow")) headers.set("Allow", "GET, HEAD");
}

function applySecurityHeaders(headers: Headers, scriptNonce: string | null): void {
  const { isHttps } = getSettings();
  for (const [name, value] of Object.entries(securityHeaders({ isHttps, scriptNonce }))) headers.set(name, value);
}
