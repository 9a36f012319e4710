import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, startService } from "./child-process.ts";
import { openDatabase } from "./postgres-database.ts";
import { getPostgresPrograms } from "./postgres-programs.ts";

/** A PostgreSQL server in a folder of its own, where its socket is, with an empty database `postgres`. */
export interface PostgresServer {
  /** Folder of the unix socket, as `host` in a connection string. */
  socketDir: string;
  close(): Promise<void>;
}

/**
 * Starts one that ends with this process, in whatever way that ends.
 * @param base where its folder is made
 * @throws saying what to install when there is no PostgreSQL for this machine
 */
export async function startPostgres(base = tmpdir()): Promise<PostgresServer> {
  const { folder: programs, user, remove } = await getPostgresPrograms();
  const folder = await mkdtemp(join(base, "advisory-pg-"));
  await chmod(folder, 0o700);
  if (user) await chown(folder, user.uid, user.gid);
  const options = { ...user, cwd: folder };
  const initdb = ["-D", join(folder, "data"), "-U", "supabase_admin", "-A", "trust", "-E", "UTF8", "--no-sync"];
  await run(join(programs, "initdb"), [...initdb, "--locale=C"], options);

  // Every PostgREST of the run keeps up to twenty connections.
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "max_connections=300"];
  const careless = ["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "max_wal_size=64MB"];
  const database = openDatabase(folder, "postgres");
  const server = await startService(
    join(programs, "postgres"),
    ["-D", join(folder, "data"), ...[...settings, ...careless].flatMap((setting) => ["-c", setting])],
    options,
    async () => (await database.sql("select 1")).length === 1,
  );
  return {
    socketDir: folder,
    close: async () => {
      await server.stop("INT");
      await rm(folder, { recursive: true, force: true });
      await remove();
    },
  };
}
