// Runs the browser journeys on the existing build: `npm run test:e2e`, or some: `npm run test:e2e -- menu.spec.ts`.
import { tmpdir } from "node:os";
import { ensureBrowser } from "./browser.mjs";
import { run } from "./run.mjs";
import { makeRunFolder, removeRunFolder, runFolder } from "./run-folder.mjs";

await ensureBrowser();
await makeRunFolder();
const program = ["node_modules/playwright/cli.js", "test", "--config=tests/playwright.config.ts"];
// Journeys on a hosted project's services execute programs from this folder, like those tests (`onDisk` in
// vitest.config.ts).
const temporary = process.env.JOURNEYS_ON_STACK ? tmpdir() : runFolder;
process.exitCode = await run(process.execPath, [...program, ...process.argv.slice(2)], { TMPDIR: temporary });
await removeRunFolder();
