import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";
import subsetFont from "subset-font";
import { extract } from "tar";
import { ensureInstalled } from "./ensure-installed.mjs";
import { run } from "./run.mjs";

/** Debian's path of Chromium. */
const systemChromium = "/usr/bin/chromium";

const packages = fileURLToPath(new URL("../tests/node_modules/", import.meta.url));
const playwright = fileURLToPath(new URL("../node_modules/playwright/cli.js", import.meta.url));
const packed = join(packages, "@sparticuz/chromium/bin");
/** Next to the package, so that it is removed with it; private to this user, because it is executed. */
const unpacked = join(packages, ".chromium");
const isPackageForUs = process.platform === "linux" && process.arch === "x64";

/**
 * Finds the Chromium for browser tests: the package's, which is the same on all machines and has no window to draw;
 * where that does not run the system's, otherwise Playwright's.
 * @returns {{ executablePath?: string, env?: Record<string, string> }} options for Playwright's `launch`
 */
export function findBrowser() {
  if (!isPackageForUs) return existsSync(systemChromium) ? { executablePath: systemChromium } : {};
  // Mozilla's NSS libraries and fonts, which a minimal machine lacks.
  const env = { LD_LIBRARY_PATH: join(unpacked, "lib"), FONTCONFIG_FILE: join(unpacked, "fonts.conf") };
  return {
    executablePath: join(unpacked, "chromium"),
    env: { .../** @type {Record<string, string>} */ (process.env), ...env },
  };
}

/**
 * Ensures that Chromium and the tests' packages are installed. If that fails, prints the one command that helps and
 * ends this process.
 */
export async function ensureBrowser() {
  await ensureInstalled("tests");
  const { executablePath } = findBrowser();
  if (executablePath && existsSync(executablePath)) return;
  if (isPackageForUs) return unpack();
  if ((await run(process.execPath, [playwright, "install", "chromium"])) === 0) return;
  console.error(`The browser tests need Chromium. Install it at ${systemChromium}, then run the tests again.`);
  process.exit(1);
}

/** Unpacks Chromium without the package's own code, which uses a folder that every user of the machine can write to. */
async function unpack() {
  console.log("Unpacking Chromium: this machine has none.");
  const draft = await mkdtemp(`${unpacked}-`);
  try {
    await pipeline(
      createReadStream(join(packed, "chromium.br")),
      createBrotliDecompress(),
      createWriteStream(join(draft, "chromium"), { mode: 0o700 }),
    );
    for (const name of ["al2023", "fonts"])
      await extract({ file: join(packed, `${name}.tar.br`), cwd: draft, preserveOwner: false });
    await writeStandIns(join(draft, "fonts/stand-ins"));
    // The packages outlive a copy of the repository that links to them.
    const home = join(await realpath(packages), ".chromium");
    const fonts = `<dir>${join(home, "fonts")}</dir><cachedir>${join(home, "fonts-cache")}</cachedir>`;
    await writeFile(join(draft, "fonts.conf"), `<?xml version="1.0"?>\n<fontconfig>${fonts}</fontconfig>\n`);
    await rename(draft, unpacked);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Installs the typefaces of Android phones, which stand in for the site's until those arrive (app/styles/fonts.css). The
 * browser's package has none of the stand-ins, and without one every page moves.
 * @param {string} folder
 */
async function writeStandIns(folder) {
  await mkdir(folder);
  const latin = Array.from({ length: 0x17f }, (_, letter) => String.fromCodePoint(letter)).join("");
  for (const name of ["roboto-latin-400", "noto-serif-latin-400", "noto-serif-latin-700"]) {
    const file = join(packages, `@fontsource/${name.replace(/-latin.*/, "")}/files/${name}-normal.woff2`);
    const font = await subsetFont(await readFile(file), `${latin}–—‘’“”•…‑`, { targetFormat: "truetype" });
    await writeFile(join(folder, `${name}.ttf`), font);
  }
}
