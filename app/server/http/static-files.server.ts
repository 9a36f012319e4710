import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import sirv from "sirv";
import { createEncodingChoice } from "./memory/content-encoding.server";
import { type Step, dropHeaders } from "./edge/exchange.server";
import type { RequestFailures } from "./edge/request-failures.server";
import { sendText } from "./send-text.server";

/**
 * Answers a request with a file, if it asks for one.
 * @param next called when it does not
 */
export type ServeFiles = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const folderOf = (path: string) => /^\/(assets|share)\//.exec(path)?.[1];

/** Responds with a file to a request for one. A form asks for none. */
export function respondWithFiles(serveFiles: ServeFiles): Step {
  return (exchange, next) => {
    const { request, response } = exchange;
    if (request.method === "POST") return next();
    // No file here needs ranges, a server may ignore them (RFC 9110, 14.2), and the file server throws over `bytes=5-2`.
    dropHeaders(request, "range", "if-range");
    exchange.route = routeOfFile(request.url ?? "");
    serveFiles(request, response, next);
  };
}

/** The route under which a request for a file is logged and counted. */
function routeOfFile(path: string): string {
  const folder = folderOf(path);
  return folder === undefined ? "(file)" : `/${folder}/*`;
}

const year = 365 * 24 * 3600;
const day = 24 * 3600;
const hour = 3600;

/**
 * Serves the files of a build.
 * @param clientDir built scripts and styles; what lies in its `assets` never changes under the same name
 * @param publicDir files served as they are
 */
export function createFileServer(
  clientDir: string,
  publicDir: string,
  failures: Pick<RequestFailures, "end">,
): ServeFiles {
  const chooseEncoding = createEncodingChoice(["br", "gzip", "identity"]);
  const folders = {
    assets: sirv(join(clientDir, "assets"), { maxAge: year, immutable: true, etag: true, brotli: true, gzip: true }),
    share: sirv(join(clientDir, "share"), { maxAge: day, etag: true }),
  };
  const servePublic = sirv(publicDir, { maxAge: hour, etag: true, setHeaders: nameIconType });
  return (request, response, next) => {
    const path = request.url ?? "/";
    const folder = folderOf(path);
    const stopWatching = watchFile(response, failures);
    if (folder === undefined) {
      servePublic(request, response, () => {
        stopWatching();
        next();
      });
      return;
    }
    // sirv looks for the letters alone: it would send Brotli for `br;q=0`.
    request.headers["accept-encoding"] = chooseEncoding(request.headers["accept-encoding"]);
    request.url = path.slice(folder.length + 1);
    folders[folder as keyof typeof folders](request, response, () => sendText(response, 404, "Not found\n"));
  };
}

/**
 * Takes the errors of the stream by which sirv sends a file, and closes it when its reader has gone. sirv does neither: a
 * file that cannot be opened any more would end the process, and each download that is given up would cost a file descriptor.
 * @returns stops watching, because no file is sent
 */
function watchFile(response: ServerResponse, failures: Pick<RequestFailures, "end">): () => void {
  const watch = (file: Readable) => {
    file.once("error", (error) => failures.end(error, response));
    response.once("close", () => file.destroy());
  };
  response.once("pipe", watch);
  return () => response.off("pipe", watch);
}

/** sirv knows no type for `.ico`, and `nosniff` keeps browsers from guessing one. */
function nameIconType(response: ServerResponse, path: string): void {
  if (path.endsWith(".ico")) response.setHeader("Content-Type", "image/x-icon");
}
