import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import sirv from "sirv";
import { sendText } from "./send-text.server";

/**
 * Answers a request with a file, if it asks for one.
 * @param next called when it does not
 */
export type ServeFiles = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const folderOf = (path: string) => /^\/(assets|share)\//.exec(path)?.[1];

/** Whether a decoded path may be a file's: of those that are served as they are, or in a folder of the build. */
export function createFileCheck(publicDir: string): (path: string) => boolean {
  const names = new Set(readdirSync(publicDir, { recursive: true }).map((name) => `/${String(name)}`));
  return (path) => names.has(path) || folderOf(path) !== undefined;
}

/** The route under which a request for a file is logged and counted. */
export function routeOfFile(path: string): string {
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
export function createFileServer(clientDir: string, publicDir: string): ServeFiles {
  const folders = {
    assets: sirv(join(clientDir, "assets"), { maxAge: year, immutable: true, etag: true, brotli: true, gzip: true }),
    share: sirv(join(clientDir, "share"), { maxAge: day, etag: true }),
  };
  const servePublic = sirv(publicDir, { maxAge: hour, etag: true, setHeaders: nameIconType });
  return (request, response, next) => {
    const path = request.url ?? "/";
    const folder = folderOf(path);
    if (folder === undefined) {
      servePublic(request, response, next);
      return;
    }
    request.url = path.slice(folder.length + 1);
    folders[folder as keyof typeof folders](request, response, () => sendText(response, 404, "Not found\n"));
  };
}

/** sirv knows no type for `.ico`, and `nosniff` keeps browsers from guessing one. */
function nameIconType(response: ServerResponse, path: string): void {
  if (path.endsWith(".ico")) response.setHeader("Content-Type", "image/x-icon");
}
