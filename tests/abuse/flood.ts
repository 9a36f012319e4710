import { type Socket, connect } from "node:net";

/** What came back on all connections of a flood. */
export interface FloodReport {
  /** answers by status */
  statuses: Record<string, number>;
  /** the largest head of an answer, in bytes */
  largestHead: number;
  /** connections that the other side closed */
  closed: number;
}

/**
 * Opens connections from one address and sends the same bytes on each, as they are, then reads until nothing comes for a
 * while or the other side hangs up.
 * @param options `quietMs`: how long nothing may come; `maxMs`: after which it is over whatever comes
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
  const report: FloodReport = { statuses: {}, largestHead: 0, closed: 0 };
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const text = await send(connect({ port: Number(port), host: "127.0.0.1", localAddress }), bytes);
      for (const [, status = ""] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g))
        report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      report.largestHead = Math.max(report.largestHead, text.indexOf("\r\n\r\n"));
    }),
  );
  return report;

  function send(socket: Socket, whole: string): Promise<string> {
    return new Promise((resolve) => {
      let text = "";
      let quiet = setTimeout(() => socket.destroy(), quietMs);
      const deadline = setTimeout(() => socket.destroy(), maxMs);
      socket.on("connect", () => socket.write(whole));
      socket.on("data", (chunk) => {
        text += chunk.toString("latin1");
        clearTimeout(quiet);
        quiet = setTimeout(() => socket.destroy(), quietMs);
      });
      // A reset says as much as a proper end: what came before it counts.
      socket.on("error", () => {});
      socket.on("end", () => (report.closed += 1));
      socket.on("close", () => {
        clearTimeout(quiet);
        clearTimeout(deadline);
        resolve(text);
      });
    });
  }
}

/** The header of a connection's last request: who floods need not wait to see whether more comes. */
export const last = { Connection: "close" };

/** As many GETs at once, the last of which ends the connection. */
export function askRepeatedly(path: string, times: number): string {
  return getLines(path).repeat(times - 1) + getLines(path, last);
}

/** A GET as it stands on the wire. */
export function getLines(path: string, headers: Record<string, string> = {}): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${fields.join("")}\r\n`;
}
