import { connect } from "node:net";

/** Everything received on one connection. */
export interface Exchange {
  /** status of the first response; 0 without a complete head */
  status: number;
  /** everything received, head and body, as Latin-1 */
  text: string;
  /** the server closed the connection, not we */
  isHungUp: boolean;
}

/** Silence in milliseconds after a complete head, which shows that no second response follows. */
const quietMs = 150;
const headEnd = "\r\n\r\n";
const interim = /^HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/;

/**
 * Sends raw bytes, which no client library would send, and collects the response. It stops when the server hangs up,
 * when a complete head is followed by silence, or at the timeout.
 * @param timeoutMs time after which we hang up
 */
export function exchange(url: string, bytes: string | Buffer, timeoutMs = 10_000): Promise<Exchange> {
  let quiet: NodeJS.Timeout | undefined;
  const { hostname, port } = new URL(url);
  return collect(connect(Number(port), hostname), bytes, timeoutMs, (text, leave) => {
    clearTimeout(quiet);
    if (text.includes(headEnd)) quiet = setTimeout(leave, quietMs);
    return text;
  });
}

/**
 * Sends raw bytes to this machine, and hangs up once the first response is complete. Its text has no interim responses.
 * @param method decides whether the response has a body
 */
export function exchangeOne(port: number, bytes: Buffer, method: string, timeoutMs: number): Promise<Exchange> {
  return collect(connect(port, "127.0.0.1"), bytes, timeoutMs, (text, leave) => {
    const final = text.replace(interim, "");
    if (isComplete(final, method)) leave();
    return final;
  });
}

function collect(
  socket: ReturnType<typeof connect>,
  bytes: string | Buffer,
  timeoutMs: number,
  read: (text: string, leave: () => void) => string,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let [text, isHungUp] = ["", true];
    const leave = () => {
      isHungUp = false;
      socket.destroy();
    };
    const giveUp = setTimeout(leave, timeoutMs);
    socket.on("connect", () => socket.write(bytes));
    socket.on("data", (chunk) => (text = read(text + chunk.toString("latin1"), leave)));
    // A reset counts like a proper end: the data before it is the result.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(giveUp);
      const [, status = "0"] = (text.includes(headEnd) && /^HTTP\/1\.1 (\d{3})/.exec(text)) || [];
      resolve({ status: Number(status), text, isHungUp });
    });
  });
}

/** Detects the end of a response by RFC 9112, 6.3. A response without a length ends with its connection. */
function isComplete(text: string, method: string): boolean {
  const bodyStart = text.indexOf(headEnd) + headEnd.length;
  if (bodyStart < headEnd.length) return false;
  const head = text.slice(0, bodyStart);
  if (method === "HEAD" || /^HTTP\/1\.1 (?:204|304) /.test(head)) return true;
  if (/^transfer-encoding: chunked/im.test(head)) return text.endsWith("0\r\n\r\n");
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return length !== undefined && text.length - bodyStart >= Number(length);
}
