import { connect } from "node:net";

/** What came back for one request on a connection of its own. */
export interface RawResponse {
  /** 0 when the server hung up, or the time was over, before a whole head had come */
  status: number;
  /** as Latin-1, without what was interim (1xx) */
  text: string;
}

/**
 * Sends bytes as they are, which no client library would, and hangs up once the response is whole.
 * @param method decides whether the response has a body
 * @param patienceMs after which we hang up
 */
export function sendRaw(port: number, bytes: Buffer, method: string, patienceMs: number): Promise<RawResponse> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    socket.on("data", (chunk) => {
      text = (text + chunk.toString("latin1")).replace(interim, "");
      if (isWhole(text, method)) socket.destroy();
    });
    // A reset says as much as a proper end: what came before it counts.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve({ status: text.includes(headEnd) ? Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0) : 0, text });
    });
  });
}

const headEnd = "\r\n\r\n";
const interim = /^HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/;

/** Tells the end of a response as RFC 9112, 6.3, does. One without a length ends with its connection. */
function isWhole(text: string, method: string): boolean {
  const bodyStart = text.indexOf(headEnd) + headEnd.length;
  if (bodyStart < headEnd.length) return false;
  const head = text.slice(0, bodyStart);
  if (method === "HEAD" || /^HTTP\/1\.1 (?:204|304) /.test(head)) return true;
  if (/^transfer-encoding: chunked/im.test(head)) return text.endsWith("0\r\n\r\n");
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return length !== undefined && text.length - bodyStart >= Number(length);
}
