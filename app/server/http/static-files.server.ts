import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import type { Readable } from "node:stream";
import sirv from "sirv";
import { createEncodingChoice } from "./content-encoding.server";
import { type Step, dropHeaders } from "./exchange.server";
import { decodePath } from "./hosts.server";
import { type RequestFailures, sendText } from "./refusals.server";

/**
 * Serves the file that a request names.
 * @param next called when there is no such file
 */
export type ServeFiles = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const folderOf = (path: string) => /^\/(assets|share)\//.exec(path)?.[1];

/** Creates the step that serves files. It skips POST requests. */
export function respondWithFiles(serveFiles: ServeFiles): Step {
  return (exchange, next) => {
    const { request, response } = exchange;
    if (request.method === "POST") return next();
    // No file here needs ranges, a server may ignore them (RFC 9110, 14.2), and sirv throws on `bytes=5-2`.
    dropHeaders(request, "range", "if-range");
    exchange.route = routeOfFile(request.url ?? "");
    serveFiles(request, response, next);
  };
}

/** Returns the route pattern of a file for the log and the metrics. */
function routeOfFile(path: string): string {
  const folder = folderOf(path);
  return folder === undefined ? "(file)" : `/${folder}/*`;
}

const year = 365 * 24 * 3600;
const day = 24 * 3600;
const hour = 3600;

/**
 * Serves the files of a build.
 * @param clientDir built scripts and styles; files in its `assets` never change under the same name
 * @param publicDir files served unchanged
 */
export function createFileServer(
  clientDir: string,
  publicDir: string,
  failures: Pick<RequestFailures, "end">,
): ServeFiles {
  const chooseEncoding = createEncodingChoice();
  const folders = {
    assets: sirv(join(clientDir, "assets"), {
      maxAge: year,
      immutable: true,
      etag: true,
      brotli: true,
      gzip: true,
      setHeaders: setType,
    }),
    share: sirv(join(clientDir, "share"), { maxAge: day, etag: true }),
  };
  const servePublic = sirv(publicDir, { maxAge: hour, etag: true, setHeaders: setType });
  // sirv lists the files at the start, too, but takes longer to find out that a page is none of them.
  const publicFiles = new Set(readdirSync(publicDir, { recursive: true }).map((name) => `/${String(name)}`));
  return (request, response, next) => {
    const path = request.url ?? "/";
    const folder = folderOf(path);
    if (folder === undefined && !publicFiles.has(decodePath(path) ?? "")) return next();
    watchFile(response, failures);
    if (folder === undefined) return servePublic(request, response, next);
    // sirv only searches for the letters: it would send Brotli for `br;q=0`.
    request.headers["accept-encoding"] = chooseEncoding(request.headers["accept-encoding"]);
    request.url = path.slice(folder.length + 1);
    folders[folder as keyof typeof folders](request, response, () => sendText(response, 404, "Not found\n"));
  };
}

/**
 * Handles errors of the stream with which sirv sends a file, and closes the stream when the client disconnects. sirv
 * does neither: a file that can no longer be opened would end the process, and each aborted download would leak a file
 * descriptor.
 */
function watchFile(response: ServerResponse, failures: Pick<RequestFailures, "end">): void {
  response.once("pipe", (file: Readable) => {
    file.once("error", (error) => failures.end(error, response));
    response.once("close", () => file.destroy());
  });
}

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  // sirv does not know it. Because of `nosniff`, browsers do not guess a type.
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** Sets the type of a file: sirv names no charset, and browsers would guess one. */
function setType(response: ServerResponse, path: string): void {
  const type = types[extname(path)];
  if (type !== undefined) response.setHeader("Content-Type", type);
}
