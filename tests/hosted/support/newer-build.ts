import { cp, mkdtemp, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * Copies this checkout's build and replaces text on its pages, to simulate a release with other copy.
 * @returns the folder in which to start a site with it
 * @throws when no page contains the text
 */
export async function makeNewerBuild(words: string, replacement: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "newer-"));
  for (const name of ["bin", "build", "public", "package.json"])
    await cp(name, join(folder, name), { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  const server = join(folder, "build/server");
  let replaced = 0;
  for (const name of await readdir(server, { recursive: true })) {
    if (!name.endsWith(".js")) continue;
    const file = join(server, name);
    const text = await readFile(file, "utf8");
    if (!text.includes(words)) continue;
    await writeFile(file, text.replaceAll(words, replacement));
    replaced += 1;
  }
  if (replaced === 0) throw new Error(`The build does not contain "${words}".`);
  return folder;
}
