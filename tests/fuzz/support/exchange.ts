import { connect } from "node:net";

/** What came back on a connection of our own. */
export interface RawAnswer {
  /** of the first answer; 0 when there was none */
  status: number;
  /** everything that came, head and body, as Latin-1 */
  text: string;
  /** how long the connection stayed open */
  elapsedMs: number;
}

/**
 * Sends bytes as they are, which no client library would, and keeps what comes until the other side hangs up, a first
 * answer's head is complete and nothing more comes for a moment, or the time is over.
 * @param timeoutMs after which we hang up
 */
export function exchange(url: string, bytes: string | Buffer, timeoutMs = 10_000): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const begin = performance.now();
    let text = "";
    let quiet: NodeJS.Timeout | undefined;
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const giveUp = setTimeout(() => socket.destroy(), timeoutMs);
    socket.on("connect", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      clearTimeout(quiet);
      if (text.includes("\r\n\r\n")) quiet = setTimeout(() => socket.destroy(), quietMs);
    });
    // A reset says as much as a proper end: what came before it counts.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(giveUp);
      clearTimeout(quiet);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      resolve({ status, text, elapsedMs: performance.now() - begin });
    });
  });
}

const quietMs = 150;
