import { existsSync, realpathSync } from "node:fs";
import { chmod, chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { run, startService } from "./child-process.ts";

/** A PostgreSQL server of its own, on a socket in a temporary folder, as a hosted project before the first migration. */
export interface PostgresServer {
  /** Folder of the unix socket, as `host` in a connection string. */
  socketDir: string;
  /** Runs statements as the superuser, or as the role that migrations run as. */
  exec(sql: string, as?: "supabase_admin" | "postgres"): Promise<void>;
  /** Rows of one statement that returns some. `$1`, `$2`… are replaced by quoted parameters. */
  sql<T>(query: string, parameters?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** @throws saying what to install when this machine has no PostgreSQL server */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = findPostgresBinaries();
  const owner = await findOwner();
  const folder = await mkdtemp(join(tmpdir(), "advisory-pg-"));
  await chmod(folder, 0o700);
  if (owner) await chown(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder };
  const initdb = ["-D", join(folder, "data"), "-U", "supabase_admin", "-A", "trust", "-E", "UTF8", "--no-sync"];
  await run(join(bin, "initdb"), [...initdb, "--locale=C"], options);

  const psql = (sql: string, user = "supabase_admin") =>
    run(join(bin, "psql"), ["-XAtq", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", user, "-d", "postgres", "-c", sql]);
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "fsync=off", "full_page_writes=off"];
  const server = await startService(
    join(bin, "postgres"),
    ["-D", join(folder, "data"), ...settings.flatMap((setting) => ["-c", setting])],
    options,
    async () => (await psql("select 1")).trim() === "1",
  );
  return {
    socketDir: folder,
    exec: async (sql, as) => void (await psql(sql, as)),
    sql: async (query, parameters = []) => {
      const statement = query.replaceAll(/\$(\d+)/g, (_, index) => quote(parameters[Number(index) - 1]));
      return JSON.parse(
        await psql(`with result as (${statement}) select coalesce(json_agg(result), '[]') from result`),
      );
    },
    close: async () => {
      await server.stop("SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function quote(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return `'${(typeof value === "object" ? JSON.stringify(value) : String(value)).replaceAll("'", "''")}'`;
}

/** `PG_BIN`, then where Debian keeps the versions, then the PATH (whose `psql` may be a wrapper without a server). */
function findPostgresBinaries(): string {
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "postgres"));
  const folders = [
    process.env.PG_BIN,
    ...[15, 16, 17].map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...onPath.filter((file) => existsSync(file)).map((file) => dirname(realpathSync(file))),
  ];
  const found = folders.find(
    (folder) => folder && ["initdb", "postgres", "psql"].every((it) => existsSync(join(folder, it))),
  );
  if (!found) {
    throw new Error(
      "These tests need a PostgreSQL server. Install one with: apt-get install -y postgresql-15 (or set PG_BIN to the folder of its programs)",
    );
  }
  return found;
}

/** PostgreSQL refuses to run as root: then it runs as its own user, or as nobody. */
async function findOwner(): Promise<{ uid: number; gid: number } | null> {
  if (userInfo().uid !== 0) return null;
  const ids = await Promise.all(["-u", "-g"].map((flag) => run("id", [flag, "postgres"]))).catch(() => [
    "65534",
    "65534",
  ]);
  return { uid: Number(ids[0]), gid: Number(ids[1]) };
}

/** The product's migrations in their order, as `supabase db push` would run them. */
export async function readMigrations(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  return names.map((name) => join(folder, name));
}
