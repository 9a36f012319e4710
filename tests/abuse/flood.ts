import { type Socket, connect } from "node:net";

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
  {
    connections,
    localAddress = "127.0.0.2",
    quietMs = 3_000,
    maxMs = 30_000,
  }: {
    connections: number;
    localAddress?: string;
    quietMs?: number;
    maxMs?: number;
  },
): Promise<FloodReport> {
  const { port } = new URL(url);
  const report: FloodReport = { statuses: {}, largestHead: 0 };
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const text = await send(connect({ port: Number(port), host: "127.0.0.1", localAddress }), bytes);
      for (const [, status = ""] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g))
        report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      report.largestHead = Math.max(report.largestHead, text.indexOf("\r\n\r\n"));
    }),
  );
  return report;

  function send(socket: Socket, request: string): Promise<string> {
    return new Promise((resolve) => {
      let text = "";
      let quiet = setTimeout(() => socket.destroy(), quietMs);
      const deadline = setTimeout(() => socket.destroy(), maxMs);
      socket.on("connect", () => socket.write(request));
      socket.on("data", (chunk) => {
        text += chunk.toString("latin1");
        clearTimeout(quiet);
        quiet = setTimeout(() => socket.destroy(), quietMs);
      });
      // Treat a reset like a regular end: the data before it counts.
      socket.on("error", () => {});
      socket.on("close", () => {
        clearTimeout(quiet);
        clearTimeout(deadline);
        resolve(text);
      });
    });
  }
}

/** Header of a connection's last request, so that a flood need not wait for more responses. */
export const last = { Connection: "close" };

/** Builds pipelined GETs, the last of which closes the connection. */
export function pipelineGets(path: string, times: number): string {
  return getLines(path).repeat(times - 1) + getLines(path, last);
}

/** Formats a GET request for the wire. */
export function getLines(path: string, headers: Record<string, string> = {}): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${fields.join("")}\r\n`;
}
