import { spawn } from "node:child_process";

/**
 * Runs a command with its output on this terminal.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env] added to this process's environment
 * @returns {Promise<number>} its exit code
 */
export function run(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/**
 * Runs a command and collects its output, so that it does not mix with another command's lines.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env] added to this process's environment
 * @param {number} [limitMs] time after which it is killed with its children
 * @returns {Promise<{ code: number, output: string }>} its exit code and all output, once it has ended
 */
export function runSilently(command, args, env = {}, limitMs = undefined) {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, detached: limitMs !== undefined };
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const killGroup = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
    const timer = limitMs === undefined ? undefined : setTimeout(killGroup, limitMs);
    child.once("close", () => clearTimeout(timer));
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => (output += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * Runs a script of package.json, and ends this process if it fails.
 * @param {string} name
 */
export async function runNpmScript(name) {
  const code = await run("npm", ["run", "--silent", name]);
  if (code !== 0) process.exit(code);
}
