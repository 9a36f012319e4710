import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AwsV4Signer } from "aws4fetch";

/** Bucket of an S3-compatible service, and its credentials. */
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

/** A request to the service, before signing. */
export interface BucketRequest {
  method: "GET" | "PUT" | "DELETE";
  /** name of the file within the prefix; when absent, the request is for the bucket */
  name?: string;
  query?: Record<string, string>;
  body?: Body;
}

/** Request body that each attempt reads from the start. */
interface Body {
  bytes: number;
  sha256: string;
  read(): Readable;
}

/** Signs a request (AWS Signature Version 4), including the hash of its body. */
export async function signRequest(
  { endpoint, region, accessKeyId, secretAccessKey }: Omit<BucketSettings, "bucket" | "prefix">,
  { method, path, query = {}, body, datetime }: BucketRequest & { path: string; datetime?: string },
): Promise<{ url: URL; method: string; headers: Headers }> {
  const url = new URL(endpoint.replace(/\/+$/, "") + path.split("/").map(encodeURIComponent).join("/"));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = { "x-amz-content-sha256": body?.sha256 ?? createHash("sha256").digest("hex") };
  const options = { method, url: url.href, headers, service: "s3", region, accessKeyId, secretAccessKey };
  return new AwsV4Signer(datetime === undefined ? options : { ...options, datetime }).sign();
}

/** Makes a body from a file. */
export async function bodyOfFile(file: string): Promise<Body> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return { bytes: (await stat(file)).size, sha256: hash.digest("hex"), read: () => createReadStream(file) };
}

/** Makes a body from bytes. */
export function bodyInMemory(bytes: Uint8Array): Body {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { bytes: bytes.length, sha256, read: () => Readable.from([bytes]) };
}
