import { expect, it } from "vitest";
import { signRequest } from "./bucket.ts";

/** From "Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk" in AWS's S3 reference. */
const published = {
  endpoint: "https://examplebucket.s3.amazonaws.com",
  region: "us-east-1",
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

it.each([
  [{ lifecycle: "" }, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
  [{ "max-keys": "2", prefix: "J" }, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
])("signs a request with the query %j as in AWS's published example", async (query, signature) => {
  const { headers } = await signRequest(published, { method: "GET", path: "/", query, datetime: "20130524T000000Z" });
  expect(headers.get("authorization")).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, " +
      `SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${signature}`,
  );
});
