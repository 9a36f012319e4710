import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
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

/** A request to the service, before it is signed. */
export interface Asked {
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

/** A file as a body. */
export async function bodyOfFile(file: string): Promise<Body> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return { bytes: (await stat(file)).size, sha256: hash.digest("hex"), read: () => createReadStream(file) };
}

/** Bytes as a body. */
export function bodyInMemory(bytes: Uint8Array): Body {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { bytes: bytes.length, sha256, read: () => Readable.from([bytes]) };
}
