import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { securityHeaders } from "../document/security-headers.server";
import { getSettings } from "../config/settings.server";
import { recordRequest } from "../observability/track-request.server";

const statusByCode: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/** Answers what is not HTTP, or too slow or too large to be read, and hangs up. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statusByCode[error.code ?? ""] ?? 400;
  const text = `${STATUS_CODES[status]}\n`;
  const headers = {
    ...securityHeaders({ isHttps: getSettings().isHttps }),
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(text)),
    "Cache-Control": "no-store",
    Connection: "close",
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = Buffer.byteLength(text);
  recordRequest({ requestId: randomUUID(), route: "(broken)", method: "", status, durationMs: 0, bytes });
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${text}`);
}
