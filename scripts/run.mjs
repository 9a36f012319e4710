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
 * Runs one of package.json's scripts; ends this process when it fails.
 * @param {string} name
 */
export async function runNpmScript(name) {
  const code = await run("npm", ["run", "--silent", name]);
  if (code !== 0) process.exit(code);
}
