import { expect, it } from "vitest";
import { createEncodingChoice } from "./content-encoding.server";

const chooseEncoding = createEncodingChoice();

it.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["BR", "br"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["*", "br"],
  ["gzip;q=0.5, *;q=0", "gzip"],
  ["identity, gzip;q=0.5", "identity"],
  ["identity;q=0, *;q=0", "identity"],
  ["zstd", "identity"],
  ["", "identity"],
  [undefined, "identity"],
])("maps Accept-Encoding %j to %s", (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding);
  expect(chooseEncoding(accepted)).toBe(encoding);
});
