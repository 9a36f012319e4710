// The container without Docker: runs the Dockerfile's own instructions in root folders of their own, with the files that
// .dockerignore lets through and the very Node that it names, then starts the result the way compose.yaml does, and looks.
// `npm run evidence:image` writes docs/evidence/image.md. It takes about three minutes, Linux, root and the package registry.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { parseDockerfile } from "./image/dockerfile.mjs";
import { checkContainer } from "./image/check-container.mjs";
import { measureParts } from "./image/measure.mjs";
import { copyContext, replay } from "./image/replay.mjs";
import { writeEvidence } from "./write-evidence.mjs";

if (process.platform !== "linux" || process.getuid?.() !== 0) {
  console.error(
    "This needs Linux and root, for namespaces and read-only mounts. With Docker: docker compose up --build --wait",
  );
  process.exit(1);
}
const work = mkdtempSync(join(tmpdir(), "image-"));
try {
  const dockerfile = readFileSync("Dockerfile", "utf8");
  const base = parseDockerfile(dockerfile).at(-1)?.base ?? "";
  const version = /^node:(\d+\.\d+\.\d+)-slim$/.exec(base)?.[1];
  if (version === undefined) throw new Error(`The last stage starts from ${base}`);
  const node = installNode(version);
  const npm = execFileSync("npm", ["root", "--global"], { encoding: "utf8" }).trim();
  await copyContext(process.cwd(), join(work, "context"));
  const startedAt = performance.now();
  const image = await replay(join(work, "context"), join(work, "roots"), {
    dockerfile,
    node,
    npm: join(npm, "npm"),
    ...reachRegistry(),
  });
  const buildSeconds = Math.round((performance.now() - startedAt) / 1000);
  const found = await checkContainer(image, join(work, "volume"), readTmpfs());
  for (const { what, isRight, figure } of found) console.log(`${mark(isRight)}  ${what}  ${figure}`);
  await writeEvidence("docs/evidence/image.md", describe(base, buildSeconds, found, measureParts(image)));
  if (found.some(({ isRight }) => isRight === false)) process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The program that the image has, from the package that carries it. @param {string} version */
function installNode(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(work, "node");
  mkdirSync(folder);
  execFileSync("npm", ["install", "--no-save", "--prefix", folder, `${name}@${version}`], { stdio: "inherit" });
  return join(folder, "node_modules", name, "bin/node");
}

/** The mount options that compose.yaml gives /tmp, with those that Docker adds. */
function readTmpfs() {
  const [, options = ""] = parse(readFileSync("compose.yaml", "utf8")).services.site.tmpfs[0].split(":");
  return `${options},noexec,nosuid,nodev`;
}

/**
 * How this machine reaches the registry: npm's settings and its cache, a proxy, an authority of its own. None of it is in
 * the image.
 * @returns {{ env: Record<string, string>, binds: [string, string][] }}
 */
function reachRegistry() {
  const names = Object.keys(process.env).filter((name) => /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name));
  const env = Object.fromEntries(names.map((name) => [name, process.env[name] ?? ""]));
  const [settings = "", cache = ""] = ["userconfig", "cache"].map((name) =>
    execFileSync("npm", ["config", "get", name], { encoding: "utf8" }).trim(),
  );
  if (existsSync(settings)) cpSync(settings, join(work, "npmrc"));
  mkdirSync(cache, { recursive: true });
  /** @type {[string, string][]} */
  const binds = [[cache, "/root/.npm"]];
  if (existsSync(settings)) binds.push([join(work, "npmrc"), "/root/.npmrc"]);
  return { env, binds };
}

/**
 * @param {string} base @param {number} buildSeconds
 * @param {import("./image/check-container.mjs").Finding[]} found
 * @param {import("./image/measure.mjs").Part[]} parts
 */
function describe(base, buildSeconds, found, parts) {
  return [
    "# The container",
    `\`npm run evidence:image\` on ${new Date().toISOString().slice(0, 10)}. There was no Docker: the script ran the`,
    `instructions of the Dockerfile one by one, each stage in a root folder of its own, with the files that .dockerignore`,
    `lets through and Node ${base.slice(5, -5)}; what the base image adds to that (\`${base}\`) was stood in for by this`,
    "machine's own programs, read-only. The result was then started as compose.yaml starts it: as process 1 of its own",
    "process namespace, user 1000, no capabilities, everything read-only but the volume and `/tmp`. Building took",
    `${buildSeconds} s, on ${availableParallelism()} processors with a load of ${(loadavg()[1] ?? 0).toFixed(1)} meanwhile.\n`,
    "| Checked | Holds | Figure |",
    "| --- | --- | --- |",
    ...found.map(({ what, isRight, figure }) => `| ${what} | ${mark(isRight)} | ${figure} |`),
    "\nWhat the image adds to its base:\n",
    "| Part | Unpacked | As a layer (gzip) |",
    "| --- | --: | --: |",
    ...parts.map(({ name, bytes, packedBytes }) => `| ${name} | ${megabytes(bytes)} | ${megabytes(packedBytes)} |`),
    "",
  ].join("\n");
}

/** @param {boolean | null} isRight */
function mark(isRight) {
  return isRight === null ? "–" : isRight ? "yes" : "**no**";
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}
