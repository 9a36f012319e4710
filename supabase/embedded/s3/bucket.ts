import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { setTimeout as wait } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";

/** A place for files behind an S3 interface, and the key to it. */
export interface BucketSettings {
  /** as in `https://s3.eu-central-1.amazonaws.com`; the bucket becomes the first part of the path */
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  bucket: string;
  /** without slashes around it; may be empty */
  prefix: string;
}

/** What the service, or the way to it, answered instead of doing as asked. The message names no key. */
export class BucketFailed extends Error {
  override readonly name = "BucketFailed";

  constructor(
    what: string,
    /** as the service says, e.g. `AccessDenied`, or of the network, e.g. `ECONNREFUSED` */
    readonly code: string,
  ) {
    super(`${what} failed: ${code}.`);
  }
}

const tries = 3;
const timeoutMs = { small: 60_000, whole: 30 * 60_000 };

interface Asked {
  method: "GET" | "PUT" | "DELETE";
  /** of the file within the prefix; without it, the bucket */
  name?: string;
  query?: Record<string, string>;
  body?: Body;
}

/** Read anew for each try. */
interface Body {
  bytes: number;
  sha256: string;
  read(): Readable;
}

/**
 * Files below one prefix of a bucket. Each call is tried three times, when the network or the service failed and not when it
 * refused, and throws BucketFailed. Nothing is kept between calls.
 */
export class Bucket {
  constructor(private readonly settings: BucketSettings) {}

  /** The names of all files, sorted; what lies in folders below is left out. */
  async list(): Promise<string[]> {
    const names: string[] = [];
    const start = this.keyOf("");
    let token: string | undefined;
    do {
      const query = { "list-type": "2", prefix: start, ...(token ? { "continuation-token": token } : {}) };
      const answer = await this.ask({ method: "GET", query });
      const text = await answer.text();
      const keys = readElements(text, "Key").map((key) => key.slice(start.length));
      names.push(...keys.filter((name) => name !== "" && !name.includes("/")));
      token =
        readElements(text, "IsTruncated")[0] === "true" ? readElements(text, "NextContinuationToken")[0] : undefined;
    } while (token);
    return names.toSorted();
  }

  /**
   * Stores a file under a name. It is there whole or not at all, also when the caller is killed: an object appears with the
   * end of its upload.
   */
  async put(name: string, content: string | Uint8Array): Promise<void> {
    await this.ask({
      method: "PUT",
      name,
      body: typeof content === "string" ? await describe(content) : inMemory(content),
    });
  }

  /** Writes the content of a file into a new one of this machine, for its owner only. */
  async get(name: string, file: string): Promise<void> {
    const answer = await this.ask({ method: "GET", name });
    if (answer.body === null) throw new BucketFailed(`GET ${name}`, "no content");
    await pipeline(
      Readable.fromWeb(answer.body as NodeStream<Uint8Array>),
      createWriteStream(file, { mode: 0o600, flags: "wx" }),
    );
  }

  /** Deletes a file; one that is not there is no failure. */
  async delete(name: string): Promise<void> {
    await this.ask({ method: "DELETE", name });
  }

  private keyOf(name: string): string {
    return this.settings.prefix === "" ? name : `${this.settings.prefix}/${name}`;
  }

  private async ask(asked: Asked): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.askOnce(asked);
      if (outcome instanceof Response) return outcome;
      if (attempt === tries || !outcome.mayPass) {
        throw new BucketFailed(`${asked.method} ${asked.name ?? this.settings.bucket}`, outcome.code);
      }
      await wait(attempt * attempt * 1000);
    }
  }

  private async askOnce(asked: Asked): Promise<Response | { code: string; mayPass: boolean }> {
    const { url, method, headers } = await signRequest(this.settings, { ...asked, path: this.pathOf(asked.name) });
    const { body } = asked;
    if (body) headers.set("content-length", String(body.bytes));
    try {
      const answer = await fetch(url, {
        method,
        headers,
        ...(body ? { body: Readable.toWeb(body.read()) as ReadableStream, duplex: "half" } : {}),
        signal: AbortSignal.timeout(
          asked.name === undefined || method === "DELETE" ? timeoutMs.small : timeoutMs.whole,
        ),
      });
      if (answer.ok) return answer;
      const code = readElements(await answer.text(), "Code")[0] ?? String(answer.status);
      return { code, mayPass: answer.status >= 500 || answer.status === 429 };
    } catch (error) {
      return { code: codeOf(error), mayPass: true };
    }
  }

  private pathOf(name: string | undefined): string {
    const key = name === undefined ? "" : `/${this.keyOf(name)}`;
    return `/${this.settings.bucket}${key}`;
  }
}

/** A request as it goes out, signed (AWS Signature Version 4), with the hash of its body among what is signed. */
export async function signRequest(
  { endpoint, region, accessKeyId, secretAccessKey }: Omit<BucketSettings, "bucket" | "prefix">,
  { method, path, query = {}, body, datetime }: Asked & { path: string; datetime?: string },
): Promise<{ url: URL; method: string; headers: Headers }> {
  const url = new URL(endpoint.replace(/\/+$/, "") + path.split("/").map(encodeURIComponent).join("/"));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = { "x-amz-content-sha256": body?.sha256 ?? createHash("sha256").digest("hex") };
  const options = { method, url: url.href, headers, service: "s3", region, accessKeyId, secretAccessKey };
  return new AwsV4Signer(datetime === undefined ? options : { ...options, datetime }).sign();
}

async function describe(file: string): Promise<Body> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return { bytes: (await stat(file)).size, sha256: hash.digest("hex"), read: () => createReadStream(file) };
}

function inMemory(bytes: Uint8Array): Body {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { bytes: bytes.length, sha256, read: () => Readable.from([bytes]) };
}

/** The texts of an XML document's elements of one name; S3's answers are flat, and our own names need no decoding. */
function readElements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) =>
    text.replaceAll("&amp;", "&"),
  );
}

/** fetch wraps what the network said. */
function codeOf(error: unknown): string {
  const reason = error instanceof Error && error.cause ? error.cause : error;
  if (reason instanceof Error) return "code" in reason && typeof reason.code === "string" ? reason.code : reason.name;
  return "unknown";
}
