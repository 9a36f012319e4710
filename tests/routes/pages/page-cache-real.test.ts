import { afterAll, beforeAll, expect, it } from "vitest";
import { noticeParameter } from "~/lib/pages/notice-parameter";
import { publicPaths, scriptedPaths } from "../../support/page-source";
import { cookieJars, queries } from "../../support/real-requests.mjs";
import { type TestSite, startSite } from "../../support/site";
import { type RawAnswer, askRaw, isFromMemory } from "../support/raw-answer";

/** With `FUZZ=all` every jar with every query on every page, else on each page a third of the jars with one, by turns. */
const isWhole = process.env.FUZZ === "all";

let product: TestSite;
beforeAll(async () => {
  product = await startSite({ GA_MEASUREMENT_ID: "G-ABC123DEF4" }, { isWarm: true });
});
afterAll(() => product.stop());

it("holds what browsers really send", () => {
  expect([cookieJars.length, queries.length]).toEqual([40, 12]);
});

it.each([...publicPaths, "/login", "/no-such-page"].map((path, place) => ({ path, place })))(
  "$path from memory is what is rendered for one, whatever cookies and query a browser sends",
  async ({ path, place }) => {
    const jars = cookieJars.filter((_, turn) => isWhole || turn % 3 === place % 3);
    // Each form of a page is rendered when it is first asked for.
    await Promise.all(jars.map((jar) => ask(path, jar)));
    await expect.poll(async () => isKept(await ask(path, jars[0]))).toBe(true);
    for (const [turn, jar] of jars.entries()) {
      for (const query of isWhole ? queries : [queries[(turn + place) % queries.length] ?? ""]) {
        const [kept, rendered] = await Promise.all([
          ask(path + query, jar),
          // An address that brings a message is rendered; this message is none.
          ask(`${path}${query === "" ? "?" : `${query}&`}${noticeParameter}=x`, jar),
        ]);
        const asked = `${path}${query} with ${jar}`;
        expect(isKept(kept), asked).toBe(true);
        expect(isKept(rendered), asked).toBe(false);
        expect(kept.status, asked).toBe(rendered.status);
        expect(withoutData(path, kept.text), asked).toBe(withoutData(path, rendered.text));
        expect(kept.headers.getSetCookie(), asked).toEqual(rendered.headers.getSetCookie());
        for (const name of ["content-type", "location", "permissions-policy", "x-frame-options"])
          expect(kept.headers.get(name), `${asked}: ${name}`).toBe(rendered.headers.get(name));
      }
    }
  },
);

function ask(path: string, cookie = ""): Promise<RawAnswer> {
  return askRaw(product.url + path, { "Accept-Encoding": "br", Cookie: cookie });
}

/** A page that is not there has no tag; that it was not rendered for this request is seen by its name alone. */
function isKept(answer: RawAnswer): boolean {
  return isFromMemory(answer) || (answer.status === 404 && !answer.headers.has("x-request-id"));
}

/** The data that a page's scripts read name the request that it was rendered for, and the key of an empty form. */
function withoutData(path: string, html: string): string {
  return scriptedPaths.includes(path) ? html.replace(/streamController\.enqueue\(.*/, "") : html;
}
