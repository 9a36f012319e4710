import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, startService } from "./child-process.ts";
import { openDatabase } from "./postgres-database.ts";
import { getPostgresPrograms } from "./postgres-programs.ts";

/** A PostgreSQL server in a folder of its own, where its socket is, with a database `postgres`. */
export interface PostgresServer {
  /** Folder of the unix socket, as `host` in a connection string. */
  socketDir: string;
  /** Ends every connection, stops it, and starts it again on the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts one that ends with this process, in whatever way that ends.
 * @param base where its folder is made
 * @param kept its folder, which stays: a server that ran on it goes on with its data
 * @throws saying what to install when there is no PostgreSQL for this machine
 */
export async function startPostgres(base = tmpdir(), kept?: string): Promise<PostgresServer> {
  const { folder: programs, user, remove } = await getPostgresPrograms();
  if (kept) await mkdir(kept, { recursive: true });
  const folder = kept ?? (await mkdtemp(join(base, "advisory-pg-")));
  await chmod(folder, 0o700);
  if (user) await chown(folder, user.uid, user.gid);
  const options = { ...user, cwd: folder };
  const data = join(folder, "data");
  const initdb = ["-D", data, "-U", "supabase_admin", "-A", "trust", "-E", "UTF8", "--no-sync"];
  if (!existsSync(data)) await run(join(programs, "initdb"), [...initdb, "--locale=C"], options);

  // Every PostgREST of the run keeps up to twenty connections.
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "max_connections=300"];
  const careless = ["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "max_wal_size=64MB"];
  const words = [...settings, ...(kept ? [] : careless)].flatMap((setting) => ["-c", setting]);
  const database = openDatabase(folder, "postgres");
  const start = () =>
    startService(
      join(programs, "postgres"),
      ["-D", data, ...words],
      options,
      async () => (await database.sql("select 1")).length === 1,
    );
  let server = await start();
  return {
    socketDir: folder,
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
