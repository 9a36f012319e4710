import { connect } from "node:net";

/** Everything received on one connection. */
export interface Exchange {
  /** status of the first response; 0 without a response */
  status: number;
  /** everything received, head and body, as Latin-1 */
  text: string;
  /** the server closed the connection, not we */
  isHungUp: boolean;
}

/**
 * Sends raw bytes, which no client library would send, and collects the response. It stops when the server hangs up,
 * when a complete head is followed by silence, or at the timeout.
 * @param timeoutMs time after which we hang up
 */
export function exchange(url: string, bytes: string | Buffer, timeoutMs = 10_000): Promise<Exchange> {
  return new Promise((resolve) => {
    let isHungUp = true;
    const leave = () => {
      isHungUp = false;
      socket.destroy();
    };
    let text = "";
    let quiet: NodeJS.Timeout | undefined;
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const giveUp = setTimeout(leave, timeoutMs);
    socket.on("connect", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      clearTimeout(quiet);
      if (text.includes("\r\n\r\n")) quiet = setTimeout(leave, quietMs);
    });
    // A reset counts like a proper end: the data before it is the result.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(giveUp);
      clearTimeout(quiet);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      resolve({ status, text, isHungUp });
    });
  });
}

const quietMs = 150;
