import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";
import { extract } from "tar";
import { ensureInstalled } from "./ensure-installed.mjs";
import { run } from "./run.mjs";

/** Where Debian puts Chromium. */
const systemChromium = "/usr/bin/chromium";

const packages = fileURLToPath(new URL("../tests/node_modules/", import.meta.url));
const playwright = fileURLToPath(new URL("../node_modules/playwright/cli.js", import.meta.url));
const packed = join(packages, "@sparticuz/chromium/bin");
/** Beside the package, so that it goes with it; for this user only, since it is run. */
const unpacked = join(packages, ".chromium");
const isPackageForUs = process.platform === "linux" && process.arch === "x64";

/**
 * The Chromium of the browser tests: the system's, else that of the package, else Playwright's own.
 * @returns {{ executablePath?: string, env?: Record<string, string> }} options for Playwright's `launch`
 */
export function findBrowser() {
  if (existsSync(systemChromium)) return { executablePath: systemChromium };
  if (!isPackageForUs) return {};
  // The libraries of Mozilla's NSS and a font: a bare machine has neither.
  const env = { LD_LIBRARY_PATH: join(unpacked, "lib"), FONTCONFIG_FILE: join(unpacked, "fonts.conf") };
  return {
    executablePath: join(unpacked, "chromium"),
    env: { .../** @type {Record<string, string>} */ (process.env), ...env },
  };
}

/**
 * Makes sure that this Chromium and the tests' packages are there. Ends this process, with the one command that helps, where
 * it cannot be had.
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

/** Not by the package's own code: that takes a folder which every user of the machine can write to. */
async function unpack() {
  console.log("Unpacking Chromium, because this machine has none.");
  const draft = await mkdtemp(`${unpacked}-`);
  try {
    await pipeline(
      createReadStream(join(packed, "chromium.br")),
      createBrotliDecompress(),
      createWriteStream(join(draft, "chromium"), { mode: 0o700 }),
    );
    for (const name of ["al2023", "fonts"])
      await extract({ file: join(packed, `${name}.tar.br`), cwd: draft, preserveOwner: false });
    const fonts = `<dir>${join(unpacked, "fonts")}</dir><cachedir>${join(unpacked, "fonts-cache")}</cachedir>`;
    await writeFile(join(draft, "fonts.conf"), `<?xml version="1.0"?>\n<fontconfig>${fonts}</fontconfig>\n`);
    await rename(draft, unpacked);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
