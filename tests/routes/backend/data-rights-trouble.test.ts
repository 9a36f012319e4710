import { afterEach, describe, expect, it } from "vitest";
import { filledDataRightsForm } from "../../support/data-rights";
import { readTexts } from "../../support/page-source";
import { type TestSite, startSite } from "../../support/site";
import { Visitor, readText } from "../../support/visitor";
import {
  type Answering,
  type StubProject,
  answerJson,
  answerPage,
  hang,
  hangUp,
  startStubProject,
} from "../support/stub-project";

/** Failures of a Supabase project, produced by a real server. */
const troubles: [string, Answering][] = [
  ["hangs", hang],
  ["hangs up", hangUp],
  ["responds with 500", answerJson(500, {})],
  ["responds with 200 and nonsense", answerPage(200, "<h1>parked</h1>")],
];

let product: TestSite | undefined;
let stub: StubProject | undefined;

afterEach(async () => {
  await product?.stop();
  await stub?.close();
  product = stub = undefined;
});

describe.each(troubles)("a backend that %s", (_name, handler) => {
  it("delays a data subject by one call, keeps their text, and does not blame their link", async () => {
    stub = await startStubProject(handler);
    product = await startSite(stub.settings, { timeouts: { backendCall: 300 } });
    const visitor = new Visitor(product.url);
    const { status, html } = await visitor.post("/data-rights", filledDataRightsForm);
    expect(status).toBe(503);
    expect(stub.calls).toHaveLength(1);
    expect(readText(html)).toContain("Error Failed to submit your request. Please try again or contact us directly.");
    expect(html).toContain(`value="${filledDataRightsForm.name}"`);
    expect(html).toContain(`value="${filledDataRightsForm.email}"`);
    expect(html).toMatch(/<option value="access" selected="">/);
    expect(html).toContain("And since when?</textarea>");
    expect((await visitor.get("/data-rights")).status).toBe(200);

    const token = "T".repeat(43);
    const requests = ["/data-rights/confirm", "/data-rights/status"].flatMap((path) => [
      visitor.get(`${path}?token=${token}`),
      visitor.post(path, { token }),
    ]);
    for (const answer of await Promise.all(requests)) {
      expect(answer.status).toBe(503);
      expect(readTexts(answer.html, "h1")).toEqual(["We can’t look this up right now"]);
      expect(answer.headers.get("cache-control")).toBe("no-store, no-transform");
      expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    }
    for (const secret of [filledDataRightsForm.email, "And since when?", token]) {
      expect(product.output()).not.toContain(secret);
    }
  });
});
