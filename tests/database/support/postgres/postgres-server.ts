import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, startService } from "./child-process.ts";
import { openDatabase, superuser } from "./postgres-database.ts";
import { getPostgresPrograms, type PostgresVersion } from "./postgres-programs.ts";

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
