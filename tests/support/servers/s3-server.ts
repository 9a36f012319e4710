import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SignatureV4 } from "@smithy/signature-v4";

/** An S3 service with one bucket. */
export interface S3Server {
  /** named like an operator's settings */
  settings: Record<"AWS_ENDPOINT_URL" | "AWS_REGION" | "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY", string>;
  /** by key */
  objects: Map<string, Buffer>;
  /** While true, uploads of backups are read and get no response. */
  stalls: boolean;
  /** resolves when an upload has started to stall */
  stalled: Promise<void>;
  /** number of next requests that fail, with 429 and 503 in turn */
  failures: number;
  /** number of next GET responses whose body is cut off half way */
  broken: number;
  /** requests so far, as `GET <key>` */
  requests: string[];
  /** keys that get 403 */
  refused: Set<string>;
  close(): void;
}

const credentials = { accessKeyId: "AKIATESTS", secretAccessKey: "a secret of the tests" };
const region = "eu-test-1";

/**
 * Starts a service with the S3 operations that the product uses: list, put, get and delete. It rejects a request whose
 * signature differs from AWS's own library or whose body differs from the signed one.
 */
export async function startS3(bucket: string): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  let tellStalled: (() => void) | undefined;
  const stalled = new Promise<void>((resolve) => (tellStalled = resolve));
  const http = createServer((request, response) => void answer(request, response));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const server: S3Server = {
    settings: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    objects,
    stalls: false,
    stalled,
    failures: 0,
    broken: 0,
    requests: [],
    refused: new Set(),
    close: () => void http.close().closeAllConnections(),
  };
  return server;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const [, requestedBucket, key = ""] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    if (server.stalls && request.method === "PUT" && key.includes("backup-")) return tellStalled?.();
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    const refuse = (status: number, code: string) =>
      void response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    server.requests.push(`${request.method} ${key}`);
    if (server.refused.has(key)) return refuse(403, "AccessDenied");
    if (server.failures-- > 0) return refuse(server.failures % 2 === 0 ? 503 : 429, "SlowDown");
    if (requestedBucket !== bucket) return refuse(404, "NoSuchBucket");
    if (!(await isSigned(request, url))) return refuse(403, "SignatureDoesNotMatch");
    const sha256 = createHash("sha256").update(body).digest("hex");
    if (request.headers["x-amz-content-sha256"] !== sha256) return refuse(400, "XAmzContentSHA256Mismatch");
    if (request.method === "GET" && key === "") return send(response, Buffer.from(list(url.searchParams)));
    const object = objects.get(key);
    if (request.method === "PUT") objects.set(key, body);
    if (request.method === "DELETE") objects.delete(key);
    if (request.method === "PUT") return void response.writeHead(200, { ETag: `"${sha256.slice(0, 32)}"` }).end();
    if (request.method !== "GET") return void response.writeHead(204).end();
    if (object === undefined) return refuse(404, "NoSuchKey");
    send(response, object);
  }

  function send(response: ServerResponse, content: Buffer): void {
    response.writeHead(200, { "Content-Length": content.length });
    if (server.broken <= 0) return void response.end(content);
    server.broken -= 1;
    response.write(content.subarray(0, content.length / 2), () => response.destroy());
  }

  /** Returns two keys a page, so that longer lists take several requests. */
  function list(query: URLSearchParams): string {
    const from = query.get("continuation-token") ?? "";
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(query.get("prefix") ?? "") && key > from)
      .toSorted();
    const page = keys.slice(0, 2);
    const next = keys.length > 2 ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
    return `<ListBucketResult><IsTruncated>${keys.length > 2}</IsTruncated>${next}${contents}</ListBucketResult>`;
  }
}

async function isSigned({ method = "", headers }: IncomingMessage, url: URL): Promise<boolean> {
  const { authorization = "", "x-amz-date": date } = headers;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(";") ?? [];
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => names.includes(name))) return false;
  const at = String(date).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z");
  const signer = new SignatureV4({
    credentials,
    region,
    service: "s3",
    sha256: NodeHash,
    uriEscapePath: false,
    applyChecksum: false,
  });
  const signed = await signer.sign(
    {
      method,
      protocol: "http:",
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    },
    { signingDate: new Date(at) },
  );
  return signed.headers.authorization === authorization;
}

/** SHA-256, or HMAC-SHA-256 with a key, behind the interface that the library expects. */
class NodeHash {
  private readonly hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key = typeof secret === "string" || secret === undefined ? secret : bytesOf(secret);
    this.hash = key === undefined ? createHash("sha256") : createHmac("sha256", key);
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.hash.update(typeof data === "string" ? data : bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {
    throw new Error("reset() is not supported.");
  }
}

function bytesOf(data: ArrayBuffer | ArrayBufferView): Buffer {
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
}
