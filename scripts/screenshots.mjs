// Pictures of every page at three widths, light and dark, to be looked at side by side: `npm run screenshots` writes them
// into test-results/screenshots, which git ignores. `npm run screenshots -- /about /contact` takes only these pages.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { openShow } from "./show.mjs";

const folder = "test-results/screenshots";
const widths = [360, 768, 1280];
const schemes = /** @type {const} */ (["light", "dark"]);
const asked = process.argv.slice(2);

const { product, browser, paths, admin, close } = await openShow();
try {
  const wanted = asked.length > 0 ? asked : [...paths, "/login", "/admin", "/no-such-page"];
  if (asked.length === 0) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const page = await browser.newPage({ baseURL: product.url, reducedMotion: "reduce" });
  await page.goto("/login");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL("**/admin");
  for (const path of wanted) {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      await page.evaluate(() => document.fonts.ready);
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        const name = `${path.slice(1) || "home"}-${width}-${colorScheme}.png`;
        await page.screenshot({ path: join(folder, name), fullPage: true });
      }
    }
  }
  console.log(`${wanted.length * widths.length * schemes.length} pictures in ${folder}`);
} finally {
  await close();
}
