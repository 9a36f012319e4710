import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cookies } from "~/content/facts";
import { type Product, startProduct } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { type RawAnswer, hashScripts, isRefusedFromMemory, postRaw } from "./support/raw-answer";

type Fields = Record<string, string>;

let product: Product;

beforeAll(async () => {
  product = await startProduct({ POST_RATE_LIMIT: "0" });
});

afterAll(async () => {
  await product.stop();
});

const contact: Fields = { ...filledContactForm, email: "no address" };
const request: Fields = { name: "Grace", email: "no address", requestType: "access", description: "All of it." };

describe("a form with mistakes is answered from memory", () => {
  const word = fc.string({ unit: "binary", minLength: 1, maxLength: 20 });
  const text = fc.oneof(
    { weight: 4, arbitrary: word },
    {
      weight: 4,
      arbitrary: fc.string({ unit: fc.constantFrom("\n", "\r\n", "<", "&", '"', "'", "\u2028", "é", "</script>") }),
    },
    { weight: 2, arbitrary: fc.constantFrom("a@b.example", "a".repeat(120), "b".repeat(6_000), "  ", "0", "[]", "$&") },
    { weight: 1, arbitrary: fc.constant("") },
  );

  it.each([
    ["/contact", ["name", "email", "company", "stage", "goal", "message"], { privacyConsent: ["on", ""] }],
    ["/data-rights", ["name", "email", "description"], { requestType: ["access", "other", ""] }],
  ])("with the very page that the framework renders: %s", async (path, typed, chosen) => {
    const fields = fc.record({
      ...Object.fromEntries(typed.map((name) => [name, text])),
      ...Object.fromEntries(Object.entries(chosen).map(([name, values]) => [name, fc.constantFrom(...values)])),
    });
    let kept = 0;
    const compare = async (form: Fields) => {
      // Unpaired halves of characters cannot be sent.
      const posted = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, value.toWellFormed()]));
      await post(path, posted);
      const answer = await post(path, posted);
      if (isRefusedFromMemory(answer)) kept++;
      const rendered = await render(path, posted);
      if (rendered.status !== 400) return;
      expect(answer.status).toBe(400);
      expect(withoutData(answer.text)).toBe(withoutData(rendered.text));
      expect(readData(answer.text)).toEqual(readData(rendered.text));
      expect(shownHeaders(answer)).toEqual(shownHeaders(rendered));
      const policy = answer.headers.get("content-security-policy") ?? "";
      for (const hash of hashScripts(answer.text)) expect(policy).toContain(hash);
      // Beside those: the module that one of them runs, and the styles.
      expect(policy.match(/'sha256-/g)).toHaveLength(hashScripts(answer.text).length + 2);
    };
    await fc.assert(fc.asyncProperty(fields, compare), { numRuns: 60 });
    const start = path === "/contact" ? contact : request;
    const oneWrong = fc.tuple(fc.constantFrom(...typed), text).map(([name, value]) => ({ ...start, [name]: value }));
    await fc.assert(fc.asyncProperty(oneWrong, compare), { numRuns: 60 });
    expect(kept).toBeGreaterThan(30);
  });

  it("to each with their own words, and nobody else's, however many ask at once", async () => {
    await post("/contact", contact);
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const own = `visitor-${i}-end`;
        const answer = await post("/contact", { ...contact, name: own, message: `I am ${own}.` });
        return { own, answer };
      }),
    );
    for (const { own, answer } of answers) {
      expect(isRefusedFromMemory(answer)).toBe(true);
      expect(new Set(answer.text.match(/visitor-\d+-end/g))).toEqual(new Set([own]));
    }
  });

  it("packed or not, as the visitor takes it, under a name of its own, and kept by nobody on the way", async () => {
    await post("/contact", contact);
    const packed = await post("/contact", contact);
    const plain = await post("/contact", contact, { "Accept-Encoding": "identity" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(withoutData(plain.text)).toBe(withoutData(packed.text));
    const names = [packed, plain].map(({ headers }) => headers.get("x-request-id"));
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^[0-9a-f-]{36}$/);
    for (const { headers } of [packed, plain]) {
      expect(headers.get("vary")).toContain("Accept-Encoding");
      expect(headers.get("cache-control")).toBe("private, no-cache");
      expect(headers.getSetCookie()).toEqual([]);
    }
  });
});

function post(path: string, fields: Fields, headers?: Record<string, string>): Promise<RawAnswer> {
  return postRaw(product.url, path, new URLSearchParams(fields).toString(), headers);
}

/** As the framework does it: it brings a flash, which is empty. */
async function render(path: string, fields: Fields): Promise<RawAnswer> {
  const answer = await post(path, fields, { Cookie: `${cookies.flash.name}=x` });
  expect(isRefusedFromMemory(answer)).toBe(false);
  return answer;
}

const dataCall = /streamController\.enqueue\((".*")\);<\/script>/;

function withoutData(html: string): string {
  return html.replace(dataCall, "");
}

/** What the page's scripts get, in no order: the framework writes texts that are the same only once. */
function readData(html: string): string[] {
  const list = JSON.parse(JSON.parse(dataCall.exec(html)?.[1] ?? '"[]"') as string) as unknown[];
  const keys = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
  return [...new Set(list.filter((item): item is string => typeof item === "string" && !keys.test(item)))].toSorted();
}

/** Headers without those that belong to one answer, or to how it is packed. */
function shownHeaders({ headers }: RawAnswer): Record<string, string> {
  const own = ["date", "x-request-id", "content-encoding", "content-length", "transfer-encoding", "set-cookie"];
  const differing = [...own, "content-security-policy", "cache-control"];
  return Object.fromEntries([...headers].filter(([name]) => !differing.includes(name)));
}
