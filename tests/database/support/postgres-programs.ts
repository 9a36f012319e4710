import { existsSync, realpathSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { run } from "./child-process.ts";

/**
 * The folder of PostgreSQL's programs: `PG_BIN`, then where Debian keeps the versions, then the PATH (whose `psql` may be
 * a wrapper without a server).
 * @throws saying what to install when there is none
 */
export function findPostgresPrograms(): string {
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "postgres"));
  const folders = [
    process.env.PG_BIN,
    ...[15, 16, 17].map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...onPath.filter((file) => existsSync(file)).map((file) => dirname(realpathSync(file))),
  ];
  const found = folders.find((folder) => folder && ["initdb", "postgres"].every((it) => existsSync(join(folder, it))));
  if (!found) {
    throw new Error(
      "These tests need a PostgreSQL server. Install one with: apt-get install -y postgresql-15 (or set PG_BIN to the folder of its programs)",
    );
  }
  return found;
}

/** Whom PostgreSQL runs as, since it refuses to run as root: then its own user, or nobody. Null for who runs the tests. */
export async function findPostgresUser(): Promise<{ uid: number; gid: number } | null> {
  if (userInfo().uid !== 0) return null;
  const ids = await Promise.all(["-u", "-g"].map((flag) => run("id", [flag, "postgres"]))).catch(() => [
    "65534",
    "65534",
  ]);
  return { uid: Number(ids[0]), gid: Number(ids[1]) };
}
