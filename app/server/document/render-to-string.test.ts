import { expect, it } from "vitest";
import { addHandoff } from "./render-to-string.server";

it("hands over data that ends neither its script nor a string in it", async () => {
  const data = "</script><!-- & \u2028\u2029 é";
  const html = await addHandoff("<!DOCTYPE html><html><body>Page</body></html>", new Blob([data]).stream(), "once");
  const [, encoded = ""] =
    /^<!DOCTYPE html><html><body>Page<script nonce="once">.*?enqueue\((".*")\);/.exec(html) ?? [];
  expect(encoded).not.toMatch(/[&<>\u2028\u2029]/);
  expect(JSON.parse(encoded)).toBe(data);
  expect(html).toMatch(/<\/script><\/body><\/html>$/);
});
