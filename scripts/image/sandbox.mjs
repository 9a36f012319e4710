import { execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What the official Node images call the user that is not root. */
export const nodeUser = 1000;

/** Read-only from this machine: programs, libraries, devices. `/usr/local` is not among them; that is the image's own. */
const machine = ["/bin", "/sbin", "/lib", "/lib64", "/dev", "/etc/ssl", "/etc/alternatives", "/etc/ld.so.cache"];

/**
 * Makes a root folder that stands for the Node image: this machine's programs read-only, and Node and npm of its own.
 * @param {string} root a new folder
 * @param {string} node the very program that the image has
 * @param {string} npm the folder of npm
 */
export function makeRoot(root, node, npm) {
  for (const folder of ["usr/local/bin", "usr/local/lib/node_modules", "etc", "root", "home/node", "proc", "tmp"])
    mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  cpSync(node, join(root, "usr/local/bin/node"));
  cpSync(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
  const link = "../lib/node_modules/npm/bin/npm-cli.js";
  execFileSync("ln", ["-s", link, join(root, "usr/local/bin/npm")]);
  writeFileSync(
    join(root, "etc/passwd"),
    `root:x:0:0::/root:/bin/sh\nnode:x:${nodeUser}:${nodeUser}::/home/node:/bin/sh\n`,
  );
  writeFileSync(join(root, "etc/group"), `root:x:0:\nnode:x:${nodeUser}:\n`);
  for (const file of ["resolv.conf", "hosts", "nsswitch.conf"]) {
    if (existsSync(`/etc/${file}`)) cpSync(`/etc/${file}`, join(root, "etc", file), { dereference: true });
  }
}

/**
 * Starts a program as process 1 of its own process and mount namespaces, with `root` as all that it sees.
 * @param {string} root made by `makeRoot`
 * @param {string[]} command
 * @param {{
 *   cwd: string,
 *   env: Record<string, string>,
 *   user?: number,
 *   tmpfs?: string,
 *   binds?: [from: string, to: string][],
 *   stdio?: import("node:child_process").StdioOptions,
 * }} options `tmpfs` (mount options of a new /tmp): nothing but that and the binds can be written;
 *   a `user` has no capability and cannot gain one
 * @returns {import("node:child_process").ChildProcess} of a parent that waits for process 1 and ends with its code
 */
export function startInside(root, command, { cwd, env, user, tmpfs, binds = [], stdio = "inherit" }) {
  const script = ["set -e", `mount --bind "$R" "$R"`];
  for (const folder of [...machine, ...programFolders()].filter((name) => existsSync(name))) {
    script.push(...mount(root, folder, folder, folder !== "/dev"));
  }
  script.push(`mount -t proc proc "$R/proc"`);
  const mountPoints = binds.map(([from, to]) => mount(root, from, to, false));
  script.push(...mountPoints.flat());
  if (tmpfs !== undefined) script.push(`mount -t tmpfs -o "${tmpfs}" tmpfs "$R/tmp"`, `mount -o remount,bind,ro "$R"`);
  const drop =
    user === undefined
      ? []
      : [
          "setpriv",
          `--reuid=${user}`,
          `--regid=${user}`,
          "--clear-groups",
          "--bounding-set=-all",
          "--inh-caps=-all",
          "--no-new-privs",
        ];
  const assigned = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  script.push(`exec chroot "$R" env -i -C "$D" "$@"`);
  return spawn(
    "unshare",
    [
      "--mount",
      "--pid",
      "--fork",
      "--kill-child",
      "sh",
      "-c",
      script.join("\n"),
      "sh",
      ...assigned,
      ...drop,
      ...command,
    ],
    { env: { ...process.env, R: root, D: cwd }, stdio },
  );
}

/**
 * Like `docker exec`: runs a command beside process 1, as its user.
 * @param {number} pid of process 1, as this machine counts
 * @param {string[]} command @param {{ cwd: string, env: Record<string, string> }} options
 * @returns {string} what it printed
 * @throws Error with its exit code as `status`
 */
export function runBeside(pid, command, { cwd, env }) {
  const assigned = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const enter = [`--target=${pid}`, "--mount", "--pid", "--root", `--setuid=${nodeUser}`, `--setgid=${nodeUser}`];
  return execFileSync("nsenter", [...enter, "env", "-i", "-C", cwd, ...assigned, ...command], { encoding: "utf8" });
}

/** Everything in /usr but what the image brings itself. */
function programFolders() {
  return readdirSync("/usr")
    .filter((name) => name !== "local")
    .map((name) => `/usr/${name}`);
}

/** @param {string} root @param {string} from @param {string} to @param {boolean} readOnly @returns {string[]} commands */
function mount(root, from, to, readOnly) {
  const at = join(root, to);
  mkdirSync(dirname(at), { recursive: true });
  if (!existsSync(at))
    execFileSync("sh", ["-c", 'if [ -d "$1" ]; then mkdir "$2"; else touch "$2"; fi', "sh", from, at]);
  const lines = [`mount --rbind "${from}" "${at}"`];
  if (readOnly) lines.push(`mount -o remount,bind,ro "${at}"`);
  return lines;
}
