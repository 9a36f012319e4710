const headEnd = Buffer.from("\r\n\r\n");
const lineEnd = Buffer.from("\r\n");

/**
 * Finds where each HTTP/1.1 answer on a connection ends, by its declared length or its chunks (RFC 9112, section 6.3).
 * Only for answers that follow one another: nothing of the next may arrive with the last. What must be kept of a piece is
 * copied, since its bytes may be written over.
 * @param {(status: number, head: string, body: Buffer) => void} onAnswer
 * @param {boolean} [keepsBody] false: `body` stays empty
 * @returns {(chunk: Buffer) => void} takes what the connection brings
 * @throws (from the returned function) for an answer that says neither
 */
export function createAnswerReader(onAnswer, keepsBody = false) {
  /** @type {Buffer | null} what has come but could not be understood yet */
  let rest = null;
  /** @type {"head" | "length" | "chunks"} */
  let state = "head";
  let status = 0;
  let head = "";
  let missing = 0;
  /** @type {Buffer[]} */
  let body = [];

  return function read(chunk) {
    let data = rest ? Buffer.concat([rest, chunk]) : chunk;
    rest = null;
    if (state === "head") {
      const end = data.indexOf(headEnd);
      if (end === -1) {
        rest = Buffer.from(data);
        return;
      }
      head = data.toString("latin1", 0, end);
      status = Number(head.slice(9, 12));
      begin();
      data = data.subarray(end + 4);
    }
    if (state === "length") readLength(data);
    else readChunks(data);
  };

  function begin() {
    body = [];
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (status === 304 || status === 204) missing = 0;
    else if (length !== undefined) missing = Number(length);
    else if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      state = "chunks";
      return;
    } else throw new Error(`An answer of unknown length:\n${head}`);
    state = "length";
  }

  /** @param {Buffer} data */
  function readLength(data) {
    if (keepsBody) body.push(Buffer.from(data.subarray(0, missing)));
    missing -= data.length;
    if (missing <= 0) finish();
  }

  /** @param {Buffer} data */
  function readChunks(data) {
    let at = 0;
    for (;;) {
      const end = data.indexOf(lineEnd, at);
      const size = end === -1 ? Number.NaN : Number.parseInt(data.toString("latin1", at, end), 16);
      const next = end + 2 + size + 2;
      if (Number.isNaN(size) || next > data.length) {
        rest = Buffer.from(data.subarray(at));
        return;
      }
      if (size === 0) {
        finish();
        return;
      }
      if (keepsBody) body.push(Buffer.from(data.subarray(end + 2, end + 2 + size)));
      at = next;
    }
  }

  function finish() {
    state = "head";
    onAnswer(status, head, keepsBody ? Buffer.concat(body) : Buffer.alloc(0));
  }
}
