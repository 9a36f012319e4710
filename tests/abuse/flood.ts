import { connect } from "node:net";

/** Responses on all connections of a flood. */
export interface FloodReport {
  /** responses by status */
  statuses: Record<string, number>;
  /** the largest response head, in bytes */
  largestHead: number;
}

/**
 * Opens connections from one address and sends the same bytes on each, then reads until no data comes for a while or
 * the server closes the connection.
 * @param options `quietMs`: longest time without data; `maxMs`: hard limit
 */
export async function flood(
  url: string,
  bytes: string,
  options: { connections: number; quietMs?: number; maxMs?: number },
): Promise<FloodReport> {
  const { connections, quietMs = 3_000, maxMs = 30_000 } = options;
  const port = Number(new URL(url).port);
  const report: FloodReport = { statuses: {}, largestHead: 0 };
  const send = async () => {
    let text = "";
    const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2", signal: AbortSignal.timeout(maxMs) });
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.setEncoding("latin1").on("data", (chunk) => (text += chunk));
    // Treat a reset like a regular end: the data before it counts.
    socket.on("error", () => {});
    socket.write(bytes);
    await new Promise((resolve) => socket.once("close", resolve));
    for (const [, status = ""] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g))
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    report.largestHead = Math.max(report.largestHead, text.indexOf("\r\n\r\n"));
  };
  await Promise.all(Array.from({ length: connections }, send));
  return report;
}

/** Header of a connection's last request, so that a flood need not wait for more responses. */
export const last = { Connection: "close" };

/** Formats a GET request for the wire. */
export function getLines(path: string, headers: Record<string, string> = {}): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${fields.join("")}\r\n`;
}
