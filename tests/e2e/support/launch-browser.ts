import { type Browser, chromium } from "playwright/test";
import config from "../../playwright.config";

/**
 * Launches the journeys' browser for scripts that inspect pages. Those cannot import Playwright themselves.
 * @param moreArgs further command-line switches
 */
export function launchBrowser(moreArgs: string[]): Promise<Browser> {
  const { args = [], ...options } = config.use?.launchOptions ?? {};
  return chromium.launch({ ...options, args: [...args, ...moreArgs] });
}
