import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { RequestRecorder } from "../../observability/track-request.server";

const statusByCode: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/**
 * Creates the listener for Node's `clientError`. It responds to input that is not HTTP, too slow or too large, and
 * closes the connection.
 * @param headers added to each response
 */
export function createClientErrorHandler(headers: Record<string, string>, requests: RequestRecorder) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = statusByCode[error.code ?? ""] ?? 400;
    const text = `${STATUS_CODES[status]}\n`;
    const fields = {
      ...headers,
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(text)),
      "Cache-Control": "no-store",
      Connection: "close",
    };
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    const bytes = Buffer.byteLength(text);
    requests.record({ requestId: randomUUID(), route: "(broken)", method: "", status, durationMs: 0, bytes });
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${text}`);
  };
}
