import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { setTimeout as wait } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import type { BackupBucket } from "../../../app/lib/backup-settings.ts";
import { OperationRefused } from "../operations/operation-refused.ts";

/** Thrown when an S3 call fails, with the service's or the network's error code. The message names no key. */
export class BucketFailed extends OperationRefused {
  override readonly name = "BucketFailed";

  constructor(
    what: string,
    /** from the service, e.g. `AccessDenied`, or from the network, e.g. `ECONNREFUSED` */
    readonly code: string,
    remedy = "",
  ) {
    super(`${what} failed: ${code}.${remedy}`);
  }
}

const tries = 3;
/** S3 accepts no larger file in a single request, and this program uploads each file in one. */
const mostBytes = 5 * 1024 ** 3;
const timeoutMs = { small: 60_000, whole: 30 * 60_000 };

/**
 * Files below one prefix of a bucket. Each call, including the reading of its response, makes up to three attempts when
 * the network or the service fails, one when the service rejects it, and throws BucketFailed. Keeps no state between
 * calls.
 */
export class Bucket {
  constructor(private readonly settings: BackupBucket) {}

  /** Lists the names of all files, sorted, without those in subfolders. */
  async list(): Promise<string[]> {
    const names: string[] = [];
    const start = this.keyOf("");
    let token: string | undefined;
    const tokens = new Set<string>();
    do {
      const query = { "list-type": "2", prefix: start, ...(token ? { "continuation-token": token } : {}) };
      const text = await this.send({ method: "GET", query }, readList);
      const keys = readElements(text, "Key").map((key) => key.slice(start.length));
      names.push(...keys.filter((name) => name !== "" && !name.includes("/")));
      token =
        readElements(text, "IsTruncated")[0] === "true" ? readElements(text, "NextContinuationToken")[0] : undefined;
      if (token && tokens.has(token)) throw new BucketFailed(`GET ${this.settings.bucket}`, "EndlessList");
      if (token) tokens.add(token);
    } while (token);
    return names.toSorted();
  }

  /**
   * Stores a file under a name. The file appears completely or not at all, even if the caller is killed: S3 creates the
   * object when its upload ends.
   * @param content a path, or the content itself
   * @throws BucketFailed also for a file of more than 5 GB, before sending anything
   */
  async put(name: string, content: string | Uint8Array): Promise<void> {
    const body = {
      bytes: typeof content === "string" ? (await stat(content)).size : content.length,
      read: () => (typeof content === "string" ? createReadStream(content) : Readable.from([content])),
    };
    if (body.bytes > mostBytes) {
      const remedy = ` It has ${(body.bytes / 1e9).toFixed(1)} GB; the limit is 5 GB. Copy it by other means.`;
      throw new BucketFailed(`PUT ${name}`, "EntityTooLarge", remedy);
    }
    const hash = createHash("sha256");
    await pipeline(body.read(), hash);
    await this.send({ method: "PUT", name, body: { ...body, sha256: hash.digest("hex") } }, requireStored);
  }

  /** Downloads a file into a new local file, for its owner only. Removes the local file after a failure. */
  async get(name: string, file: string): Promise<void> {
    await writeFile(file, "", { flag: "wx", mode: 0o600 });
    try {
      await this.send({ method: "GET", name }, async ({ body }) => {
        if (body === null) throw new UnexpectedResponse("NoContent");
        // Opening truncates the file and removes what an earlier attempt left.
        await pipeline(Readable.fromWeb(body as NodeStream<Uint8Array>), createWriteStream(file));
      });
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }

  /** Deletes a file. Succeeds if it does not exist. */
  async delete(name: string): Promise<void> {
    await this.send({ method: "DELETE", name }, (response) => response.body?.cancel());
  }

  private keyOf(name: string): string {
    return this.settings.prefix === "" ? name : `${this.settings.prefix}/${name}`;
  }

  /** @param read reads the response; a failure to read it counts like a failed request */
  private async send<Content>(
    request: BucketRequest,
    read: (response: Response) => Content | Promise<Content>,
  ): Promise<Awaited<Content>> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.sendOnce(request, read);
      if ("content" in outcome) return outcome.content;
      if (attempt === tries || !outcome.isTransient) {
        throw new BucketFailed(`${request.method} ${request.name ?? this.settings.bucket}`, outcome.code);
      }
      await wait(attempt * attempt * 1000);
    }
  }

  private async sendOnce<Content>(
    request: BucketRequest,
    read: (response: Response) => Content | Promise<Content>,
  ): Promise<{ content: Awaited<Content> } | { code: string; isTransient: boolean }> {
    const { url, method, headers } = await signRequest(this.settings, { ...request, path: this.pathOf(request.name) });
    const { body } = request;
    if (body) headers.set("content-length", String(body.bytes));
    try {
      const response = await fetch(url, {
        method,
        headers,
        redirect: "manual",
        ...(body ? { body: Readable.toWeb(body.read()) as ReadableStream, duplex: "half" } : {}),
        signal: AbortSignal.timeout(
          request.name === undefined || method === "DELETE" ? timeoutMs.small : timeoutMs.whole,
        ),
      });
      if (response.ok) return { content: await read(response) };
      const code = readElements(await response.text(), "Code")[0] ?? String(response.status);
      return { code, isTransient: response.status >= 500 || response.status === 429 };
    } catch (error) {
      // The local disk failed, not the network: fetch wraps network errors.
      if (error instanceof Error && "syscall" in error) throw error;
      return { code: codeOf(error), isTransient: true };
    }
  }

  private pathOf(name: string | undefined): string {
    const key = name === undefined ? "" : `/${this.keyOf(name)}`;
    return `/${this.settings.bucket}${key}`;
  }
}

/** A request to the service, before signing. */
interface BucketRequest {
  method: "GET" | "PUT" | "DELETE";
  /** name of the file within the prefix; when absent, the request is for the bucket */
  name?: string;
  query?: Record<string, string>;
  /** `read`: each attempt reads it from the start */
  body?: { bytes: number; sha256: string; read(): Readable };
}

/** Signs a request (AWS Signature Version 4), including the hash of its body. */
async function signRequest(
  { endpoint, region, accessKeyId, secretAccessKey }: BackupBucket,
  { method, path, query = {}, body }: BucketRequest & { path: string },
): Promise<{ url: URL; method: string; headers: Headers }> {
  const url = new URL(endpoint.replace(/\/+$/, "") + path.split("/").map(encodeURIComponent).join("/"));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = { "x-amz-content-sha256": body?.sha256 ?? createHash("sha256").digest("hex") };
  return new AwsV4Signer({
    method,
    url: url.href,
    headers,
    service: "s3",
    region,
    accessKeyId,
    secretAccessKey,
  }).sign();
}

/** A response with status 200 that is truncated or not from S3. */
class UnexpectedResponse extends Error {
  constructor(readonly code: string) {
    super(`the response is ${code}`);
  }
}

async function readList(response: Response): Promise<string> {
  const text = await response.text();
  if (!text.trimEnd().endsWith("</ListBucketResult>")) throw new UnexpectedResponse("NoList");
  return text;
}

/** S3 identifies a stored object by its ETag; a 200 response without one has stored nothing. */
async function requireStored(response: Response): Promise<void> {
  await response.body?.cancel();
  if (!response.headers.has("etag")) throw new UnexpectedResponse("NoETag");
}

/** Returns the texts of all elements of one name. S3's responses are flat, and the names used here need no decoding. */
function readElements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) =>
    text.replaceAll("&amp;", "&"),
  );
}

/** Returns the code of an error. fetch wraps the network's error as its cause. */
function codeOf(error: unknown): string {
  const reason = error instanceof Error && error.cause ? error.cause : error;
  if (reason instanceof Error) return "code" in reason && typeof reason.code === "string" ? reason.code : reason.name;
  return "unknown";
}
