import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { hashInlineScripts } from "~/server/document/inline-scripts.server";
import { addHandoff } from "./render-to-string.server";

const hash = (code: string) => createHash("sha256").update(code).digest("base64");

it("hashes scripts that have the nonce and removes the nonce", () => {
  const { html, scriptHashes } = hashInlineScripts(
    '<p>a</p><script nonce="m1">run(1)</script><script nonce="m1">run(2)</script>',
    "m1",
  );
  expect(html).toBe("<p>a</p><script>run(1)</script><script>run(2)</script>");
  expect(scriptHashes).toEqual([hash("run(1)"), hash("run(2)")]);
});

it("does not hash injected scripts without the nonce", () => {
  const injected = '<script>steal()</script><script nonce="m2">steal(2)</script><script nonce>steal(3)</script>';
  const { html, scriptHashes } = hashInlineScripts(`${injected}<script nonce="m1">run()</script>`, "m1");
  expect(html).toContain(injected);
  expect(scriptHashes).toEqual([hash("run()")]);
});

it("hashes a module's deferred form, whose imports wait, once", () => {
  const code = 'import "/a.js";\nimport * as b from "/b.js";\nrun(b);import("/c.js");';
  const module = `<script nonce="m1" type="module" async="">${code}</script>`;
  const { html, scriptHashes } = hashInlineScripts(module + module, "m1");
  const [, deferred = ""] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
  expect(html).not.toContain("m1");
  expect(scriptHashes).toEqual([hash(deferred)]);
  expect(deferred).toContain('import("/a.js"),import("/b.js")])\n.then(([,b])=>{run(b);import("/c.js");},()=>{})');
});

it("hands over data that ends neither its script nor a string in it", async () => {
  const data = "</script><!-- & \u2028\u2029 é";
  const html = await addHandoff("<!DOCTYPE html><html><body>Page</body></html>", new Blob([data]).stream(), "once");
  const [, encoded = ""] =
    /^<!DOCTYPE html><html><body>Page<script nonce="once">.*?enqueue\((".*")\);/.exec(html) ?? [];
  expect(encoded).not.toMatch(/[&<>\u2028\u2029]/);
  expect(JSON.parse(encoded)).toBe(data);
  expect(html).toMatch(/<\/script><\/body><\/html>$/);
});
