import { createHash, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { type PlaywrightTestArgs, type PlaywrightTestOptions, type TestInfo, test as base } from "playwright/test";
import { filledJoinForm, joinAddress } from "../../support/network-links";
import { type RunningSite, startProduct } from "../../support/product";
import { shortLived } from "../../support/short-lived";
import { startSite } from "../../support/site";
import { Visitor } from "../../support/visitor";
import { makeOtherFirmFolder } from "./other-firm";

/** Fixtures that a worker's journeys share. Each starts when first used, and stops with the worker. */
interface Shared {
  product: RunningSite;
  /** with Google Analytics; no request reaches Google */
  measuredProduct: RunningSite;
  /** of a firm with a long name, a postal address and 40 members of its network */
  otherFirm: RunningSite;
}

/** The property that `measuredProduct` reports to. */
export const analyticsProperty = "G-TEST123456";

/** Set by `npm run coverage`. */
const coverageFolder = process.env["COVERAGE_FOLDER"];

/** The worker's products. */
const started: RunningSite[] = [];

export function hasFailed({ status, expectedStatus }: TestInfo): boolean {
  return status !== expectedStatus;
}

const options = { scope: "worker", timeout: 120_000 } as const;

/**
 * The `test` that all others extend. Playwright gives journeys with different worker fixtures separate workers, and
 * each of those starts a browser and a product.
 */
export const test = base.extend<{ printWarnings: void; recordScripts: void }, Shared>({
  // A failed expectation does not tell why the product refused something.
  printWarnings: [
    async ({}, provide, info) => {
      await provide();
      if (!hasFailed(info)) return;
      for (const product of started)
        console.log(...(product.output().match(/^.*"level":"(?:warn|error)".*$/gm) ?? ["no warnings"]).slice(-8));
    },
    { auto: true },
  ],
  recordScripts: [coverageFolder === undefined ? ({}, provide) => provide() : recordScripts, { auto: true }],
  product: [({}, provide) => provideProduct(startHere(), provide), options],
  measuredProduct: [
    ({}, provide) => provideProduct(startHere({ GA_MEASUREMENT_ID: analyticsProperty }), provide),
    options,
  ],
  // In a process, because a process has one firm.
  otherFirm: [
    async ({}, provide) =>
      provideProduct(startProduct({ NETWORK_MAILS_PER_HOUR: "1" }, { dataDir: await makeOtherFirmFolder() }), provide),
    options,
  ],
});

/** Writes down which scripts of the build the page runs. A browser with scripts off runs none. */
async function recordScripts(
  { page, javaScriptEnabled }: PlaywrightTestArgs & PlaywrightTestOptions,
  provide: () => Promise<void>,
): Promise<void> {
  if (javaScriptEnabled) await page.coverage.startJSCoverage({ resetOnNavigation: false });
  await provide();
  const entries = javaScriptEnabled ? await page.coverage.stopJSCoverage() : [];
  const scripts = entries.flatMap(({ url, source: text, functions }) => {
    const { pathname } = new URL(url);
    if (!text || !pathname.startsWith("/assets/")) return [];
    const source = createHash("sha256").update(text).digest("hex");
    writeFileSync(join(coverageFolder!, source), text);
    return [{ path: resolve(`build/client${pathname}`), source, functions }];
  });
  const report = { test: relative(process.cwd(), test.info().file), scripts };
  writeFileSync(join(coverageFolder!, `${randomUUID()}.json`), JSON.stringify(report));
}

/** Starts the site in this process. The build and its libraries expect production; the V8 flags are those of Vitest's. */
export function startHere(settings: Record<string, string> = {}): ReturnType<typeof startSite> {
  process.env.NODE_ENV = "production";
  for (const flag of shortLived) setFlagsFromString(flag);
  return startSite(settings);
}

async function provideProduct(
  starting: Promise<RunningSite & { stop(): Promise<unknown> }>,
  provide: (product: RunningSite) => Promise<void>,
): Promise<void> {
  const product = await starting;
  started.push(product);
  await sendFirstMessage(new Visitor(product.url));
  await provide(product);
  await product.stop();
}

/** Makes the database compile what a message needs. Beside other tests, that takes longer than a form may wait. */
async function sendFirstMessage(visitor: Visitor): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++)
    if ((await visitor.post(joinAddress, { ...filledJoinForm, email: "first@fund.example" })).status === 303) return;
}
