import type { RunningSite } from "./product";
import { makeLastingSiteFolder } from "./site-folder";
import { type TestSite, startSite } from "./site";

let opening: Promise<TestSite> | undefined;

/**
 * Opens the site of default settings that the test files of one worker process share, because opening one takes a
 * second of processor time. Use it for tests that look only at their own visitors, addresses and records. Start a
 * separate site (`startSite`) for a test that changes settings, counts or lists everything, changes an account, signs
 * in with wrong passwords (which slow the next sign-ins of the same client), or stops the site. The site ends with the
 * process.
 * @returns the site; its `output` begins with this call
 */
export async function shareSite(): Promise<RunningSite> {
  const { url, dataDir, output } = await (opening ??= openSite());
  const printedBefore = output().length;
  return { url, dataDir, output: () => output().slice(printedBefore) };
}

async function openSite(): Promise<TestSite> {
  return startSite({}, { dataDir: await makeLastingSiteFolder() });
}
