import { afterAll, beforeAll, expect, it } from "vitest";
import { noticeParameter } from "~/lib/pages/notice-parameter";
import { isEverything } from "../../support/everything";
import { publicPaths, scriptedPaths } from "../../support/page-source";
import { cookieJars, queries } from "../../support/real-requests.mjs";
import { type TestSite, startSite } from "../../support/site";
import { type RawResponse, requestRaw, isFromMemory } from "../support/raw-response";

let product: TestSite;
beforeAll(async () => {
  product = await startSite({ GA_MEASUREMENT_ID: "G-ABC123DEF4" }, { isWarm: true });
});
afterAll(() => product.stop());

it("has the expected number of cookie jars and queries", () => {
  expect([cookieJars.length, queries.length]).toEqual([40, 12]);
});

it.each([...publicPaths, "/login", "/no-such-page"].map((path, index) => ({ path, index })))(
  "$path from memory equals the rendered page for any browser's cookies and query",
  async ({ path, index }) => {
    const jars = cookieJars.filter((_, jarIndex) => isEverything || jarIndex % 3 === index % 3);
    // Each variant of a page is rendered at its first request.
    await Promise.all(jars.map((jar) => get(path, jar)));
    await expect.poll(async () => isCached(await get(path, jars[0]))).toBe(true);
    for (const [jarIndex, jar] of jars.entries()) {
      for (const query of isEverything ? queries : [queries[(jarIndex + index) % queries.length] ?? ""]) {
        const [cached, rendered] = await Promise.all([
          get(path + query, jar),
          // A URL with a notice is rendered; this notice is invalid.
          get(`${path}${query === "" ? "?" : `${query}&`}${noticeParameter}=x`, jar),
        ]);
        const label = `${path}${query} with ${jar}`;
        expect(isCached(cached), label).toBe(true);
        expect(isCached(rendered), label).toBe(false);
        expect(cached.status, label).toBe(rendered.status);
        expect(withoutData(path, cached.text), label).toBe(withoutData(path, rendered.text));
        expect(cached.headers.getSetCookie(), label).toEqual(rendered.headers.getSetCookie());
        for (const name of ["content-type", "location", "permissions-policy", "x-frame-options"])
          expect(cached.headers.get(name), `${label}: ${name}`).toBe(rendered.headers.get(name));
      }
    }
  },
);

function get(path: string, cookie = ""): Promise<RawResponse> {
  return requestRaw(product.url + path, { "Accept-Encoding": "br", Cookie: cookie });
}

/** Detects a response from memory. A 404 page has no ETag and is recognized by its missing X-Request-Id. */
function isCached(answer: RawResponse): boolean {
  return isFromMemory(answer) || (answer.status === 404 && !answer.headers.has("x-request-id"));
}

/** Removes the data for a page's scripts, which contain the request's id and the key of an empty form. */
function withoutData(path: string, html: string): string {
  return scriptedPaths.includes(path) ? html.replace(/streamController\.enqueue\(.*/, "") : html;
}
