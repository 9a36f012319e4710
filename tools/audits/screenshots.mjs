// Takes screenshots of every page at four widths, light and dark, for comparison: `npm run screenshots` writes them
// into test-results/screenshots, which git ignores. Each is taken twice: after all animations have ended (-moved), and
// with reduced motion (-still). `npm run screenshots -- /about /contact` takes only these pages.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { openSite } from "./open-site.mjs";

const folder = "test-results/screenshots";
const widths = [360, 768, 1280, 1680];
const schemes = /** @type {const} */ (["light", "dark"]);
const motions = /** @type {const} */ ({ moved: "no-preference", still: "reduce" });
const requested = process.argv.slice(2);

const { product, browser, paths, admin, close } = await openSite();
const page = await browser.newPage({ baseURL: product.url });
let taken = 0;
try {
  if (requested.length === 0) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  if (requested.length === 0) await photograph("/", "banner");
  await rejectCookies();
  await signIn();
  for (const path of requested.length > 0 ? requested : [...paths, "/login", "/admin", "/no-such-page"]) {
    await photograph(path, path.slice(1) || "home");
  }
  console.log(`${taken} screenshots in ${folder}`);
} finally {
  await close();
}

/** Closes the banner, which would cover the lower half of every first screen, including the line. */
async function rejectCookies() {
  await page.goto("/");
  // The banner disappears before the response that sets the cookie arrives.
  const response = page.waitForResponse("**/consent");
  await page.getByRole("button", { name: "Reject All" }).click();
  await response;
}

async function signIn() {
  await page.goto("/login");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL(/\/admin\?notice=/);
}

/** @param {string} path @param {string} name prefix of the file names */
async function photograph(path, name) {
  for (const [suffix, reducedMotion] of Object.entries(motions)) {
    await page.emulateMedia({ reducedMotion });
    await page.goto(path);
    await page.evaluate(async () => {
      await document.fonts.ready;
      // Scroll-driven animations never end.
      const byTheClock = document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline);
      await Promise.all(byTheClock.map(({ finished }) => finished));
    });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        const file = `${name}-${width}-${colorScheme}-${suffix}.png`;
        await page.screenshot({ path: join(folder, file), fullPage: true });
        taken++;
      }
    }
  }
}
