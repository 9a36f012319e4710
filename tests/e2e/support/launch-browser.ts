import { type Browser, chromium } from "playwright/test";
import config from "../../playwright.config";

/**
 * The browser of the journeys, for scripts that look at pages: only from here can Playwright be imported.
 * @param moreArgs further switches
 */
export function launchBrowser(moreArgs: string[]): Promise<Browser> {
  const { args = [], ...options } = config.use?.launchOptions ?? {};
  return chromium.launch({ ...options, args: [...args, ...moreArgs] });
}
