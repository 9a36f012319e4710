import { afterAll, beforeAll } from "vitest";
import { startSite, type TestSite } from "../../support/site";

/** Registers hooks that start a site for a file, and stop it. @returns the site, filled before the first test */
export function useFuzzedSite(): TestSite {
  const site = {} as TestSite;
  beforeAll(async () => void Object.assign(site, await startSite()));
  afterAll(() => site.stop?.());
  return site;
}
