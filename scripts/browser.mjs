import { existsSync } from "node:fs";
import { run } from "./run.mjs";

/** Where Linux distributions put Chromium. */
export const systemChromium = "/usr/bin/chromium";

/**
 * Makes sure that a Chromium is there for the browser tests: the system's, else Playwright's own, which is installed
 * where that is possible. Ends this process, with the one command that helps, where it is not.
 */
export async function ensureBrowser() {
  if (existsSync(systemChromium)) return;
  const { chromium } = await import("@playwright/test");
  if (existsSync(chromium.executablePath())) return;
  console.log("No Chromium found: installing the one that the browser tests use.");
  const code = await run("npx", ["playwright", "install", "chromium"]);
  if (code === 0 && existsSync(chromium.executablePath())) return;
  console.error(
    "The browser tests need Chromium. Install it, then run the tests again:\n\n  apt-get install -y chromium\n",
  );
  process.exit(1);
}
