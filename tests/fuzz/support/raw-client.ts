import { connect } from "node:net";

/** The response to one request on its own connection. */
export interface RawResponse {
  /** 0 when the server hung up or the timeout passed before a complete head */
  status: number;
  /** as Latin-1, without interim responses (1xx) */
  text: string;
}

/**
 * Sends raw bytes, which no client library would send, and hangs up once the response is complete.
 * @param method decides whether the response has a body
 * @param timeoutMs time after which we hang up
 */
export function sendRaw(port: number, bytes: Buffer, method: string, timeoutMs: number): Promise<RawResponse> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), timeoutMs);
    socket.on("data", (chunk) => {
      text = (text + chunk.toString("latin1")).replace(interim, "");
      if (isComplete(text, method)) socket.destroy();
    });
    // A reset counts like a proper end: the data before it is the result.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve({ status: text.includes(headEnd) ? Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0) : 0, text });
    });
  });
}

const headEnd = "\r\n\r\n";
const interim = /^HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/;

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
