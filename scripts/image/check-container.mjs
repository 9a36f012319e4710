import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../free-port.mjs";
import { loadModule } from "../load-module.mjs";
import { startContainer } from "./container.mjs";
import { nodeUser } from "./sandbox.mjs";

/** `isRight` is null for what is only measured. */
/** @typedef {{ what: string, isRight: boolean | null, figure: string }} Finding */

/**
 * Starts an image twice on one volume, first a new one, and finds out whether it keeps what the Dockerfile promises.
 * @param {import("./replay.mjs").Image} image
 * @param {string} volume a folder that does not exist yet
 * @param {string} tmpfs mount options of /tmp
 * @returns {Promise<Finding[]>}
 */
export async function checkContainer(image, volume, tmpfs) {
  const { sitePages } = /** @type {typeof import("../../app/content/site-pages")} */ (
    await loadModule("app/content/site-pages.ts")
  );
  const { filledContactForm, Visitor } = /** @type {typeof import("../../tests/support/visitor")} */ (
    await loadModule("tests/support/visitor.ts")
  );
  /** @type {Finding[]} */
  const found = [];
  /** @param {string} what @param {boolean | null} isRight @param {string | number} [figure] */
  const note = (what, isRight, figure = "") => found.push({ what, isRight, figure: String(figure) });
  const before = listFiles(image);
  const port = await findFreePort();

  const first = await startContainer(image, volume, port, tmpfs);
  note("Starts on an empty volume; time to the first page", null, seconds(first.firstAnswerMs));
  note("Time until it is ready, its database made", null, seconds(first.readyMs));
  note("Process 1 is node itself, as user 1000", isPlainNode(first));
  note(
    "It has no capability and cannot gain one",
    first.status("CapEff") === "0000000000000000" && first.status("NoNewPrivs") === "1",
  );
  const statuses = await Promise.all(sitePages.map(async ({ path }) => (await fetch(first.url + path)).status));
  note(
    "Every page answers 200",
    statuses.every((status) => status === 200),
    `${statuses.length} pages`,
  );
  const { status } = await new Visitor(first.url).post("/contact", filledContactForm);
  note("A message is accepted", status === 303, status);
  note(
    "The health check ends with 0",
    succeeds(() => first.run(image.healthcheck)),
  );
  const archive = `${image.volume}/backups/first.tar.gz`;
  note(
    "A backup is made while it runs",
    succeeds(() => first.run(["node", "scripts/backup.mjs", archive])),
  );
  note(
    "That backup is verified in `/tmp`",
    succeeds(() => first.run(["node", "scripts/verify-backup.mjs", archive])),
  );
  note(
    "Its root file system is mounted read-only",
    /^\S+ \S+ \S+ \S+ \/ ro\b/m.test(readFileSync(`/proc/${first.pid}/mountinfo`, "utf8")),
  );
  note("Nothing in the image can be written", !succeeds(() => first.run(["touch", "package.json"])));
  note("Nothing is left in `/tmp`", readdirSync(`/proc/${first.pid}/root/tmp`).length === 0);
  note("Most memory so far", null, memory(first, "VmHWM"));
  note("Memory now", null, memory(first, "VmRSS"));
  const stoppingAt = performance.now();
  const firstCode = await first.stop();
  note(`${image.stopSignal} ends it with 0`, firstCode === 0, `${Math.round(performance.now() - stoppingAt)} ms`);

  const second = await startContainer(image, volume, port, tmpfs);
  note("Starts again on the same volume; time to the first page", true, seconds(second.firstAnswerMs));
  note("Time until it is ready then", null, seconds(second.readyMs));
  note("Memory then", null, memory(second, "VmRSS"));
  note("The second time ends with 0", (await second.stop()) === 0);

  const refused = /\b(EROFS|EACCES|EPERM)\b/.exec(first.output() + second.output())?.[0];
  note("It never tried to write elsewhere", refused === undefined, refused);
  note("All files of the image are as they were", listFiles(image) === before);
  note(
    "No source, test, secret or package manager is in it",
    strangers(image).length === 0,
    strangers(image).join(" "),
  );
  return found;
}

/** @param {import("./container.mjs").Container} container */
function isPlainNode({ pid, status }) {
  const inNamespace = status("NSpid").split(/\s+/).at(-1);
  const program = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0];
  return (
    inNamespace === "1" &&
    program === "node" &&
    status("Uid")
      .split(/\s+/)
      .every((id) => id === String(nodeUser))
  );
}

/** @param {import("./container.mjs").Container} container @param {string} field of /proc/<pid>/status, in kB */
function memory({ status }, field) {
  return `${Math.round(Number.parseInt(status(field), 10) / 1024)} MiB`;
}

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** @param {() => unknown} act */
function succeeds(act) {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

/** Name, size, mode and time of change of everything that came with the image. @param {import("./replay.mjs").Image} image */
function listFiles({ root }) {
  const folders = ["site", "etc", "home", "root", "usr/local", "tmp"];
  return execFileSync("find", [...folders, "-printf", "%p %s %m %T@\n"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
}

/** @param {import("./replay.mjs").Image} image @returns {string[]} what must not be there and is */
function strangers({ root, cwd }) {
  const allowed = ["build", "node_modules", "package.json", "public", "sbom.cdx.json", "scripts"];
  const managers = ["npm", "npx", "yarn", "pnpm", "corepack"];
  return [
    ...readdirSync(join(root, cwd)).filter((name) => !allowed.includes(name)),
    ...readdirSync(join(root, "usr/local/bin")).filter((name) => managers.includes(name)),
    ...readdirSync(join(root, cwd, "node_modules")).filter((name) => ["vite", "vitest", "typescript"].includes(name)),
  ];
}
