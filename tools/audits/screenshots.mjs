// Pictures of every page at four widths, light and dark, to be looked at side by side: `npm run screenshots` writes them
// into test-results/screenshots, which git ignores. Each is taken twice: after all movement has ended (-moved), and for
// visitors who ask for none (-still). `npm run screenshots -- /about /contact` takes only these pages.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { openSite } from "./open-site.mjs";

const folder = "test-results/screenshots";
const widths = [360, 768, 1280, 1680];
const schemes = /** @type {const} */ (["light", "dark"]);
const motions = /** @type {const} */ ({ moved: "no-preference", still: "reduce" });
const asked = process.argv.slice(2);

const { product, browser, paths, admin, close } = await openSite();
const page = await browser.newPage({ baseURL: product.url });
let taken = 0;
try {
  if (asked.length === 0) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  if (asked.length === 0) await photograph("/", "banner");
  await rejectCookies();
  await signIn();
  for (const path of asked.length > 0 ? asked : [...paths, "/login", "/admin", "/no-such-page"]) {
    await photograph(path, path.slice(1) || "home");
  }
  console.log(`${taken} pictures in ${folder}`);
} finally {
  await close();
}

/** The banner would stand before the lower half of every first view, the line included. */
async function rejectCookies() {
  await page.goto("/");
  // The banner is gone before the answer is there that keeps it away.
  const answered = page.waitForResponse("**/consent");
  await page.getByRole("button", { name: "Reject All" }).click();
  await answered;
}

async function signIn() {
  await page.goto("/login");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL(/\/admin\?notice=/);
}

/** @param {string} path @param {string} name of its pictures */
async function photograph(path, name) {
  for (const [suffix, reducedMotion] of Object.entries(motions)) {
    await page.emulateMedia({ reducedMotion });
    await page.goto(path);
    await page.evaluate(async () => {
      await document.fonts.ready;
      // What scrolling drives never ends.
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
