import { spawn } from "node:child_process";

/**
 * Runs a command with its output on this terminal.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env] added to this process's own
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
 * Runs a command beside another one, whose lines it would tear apart.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env] added to this process's own
 * @returns {Promise<{ code: number, output: string }>} its exit code and all that it printed, once it has ended
 */
export function runSilently(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => (output += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * Runs one of package.json's scripts; ends this process when it fails.
 * @param {string} name
 */
export async function runNpmScript(name) {
  const code = await run("npm", ["run", "--silent", name]);
  if (code !== 0) process.exit(code);
}
