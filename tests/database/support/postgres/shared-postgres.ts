import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { prepareProject, pushMigrations } from "./hosted-project.ts";
import { openDatabase } from "./postgres-database.ts";
import { type PostgresServer, type PostgresVersion, startPostgres } from "./postgres-server.ts";

/** Message on the announcement socket: the folder of the server's own socket, or why no server runs. */
export type PostgresStartResult = { socketDir: string } | { failure: string };

/**
 * Shares one PostgreSQL server, with the product's migrations in its database `postgres`, among all test files of a
 * run. It starts when the first file connects, so a run that needs no server starts none.
 * @param folder for the server and for the socket that announces it
 * @returns that socket's path, and a function that stops the server
 */
export async function offerPostgres(folder: string, version: PostgresVersion) {
  let starting: Promise<PostgresServer> | undefined;
  const offer = createServer(async (connection) => {
    starting ??= startMigrated(folder, version);
    const result: PostgresStartResult = await starting.then(
      ({ socketDir }) => ({ socketDir }),
      (error: Error) => ({ failure: error.message }),
    );
    connection.end(JSON.stringify(result));
  });
  const path = join(folder, `postgres-${version}-offer`);
  offer.listen(path);
  await once(offer, "listening");
  return {
    path,
    stop: async () => {
      offer.close();
      const server = await starting?.catch(() => undefined);
      if (server && process.env.COVERAGE_FOLDER) await recordCalls(server, process.env.COVERAGE_FOLDER);
      await server?.close();
    },
  };
}

/** Writes down which functions were called in any database, for `npm run coverage`. */
async function recordCalls({ socketDir }: PostgresServer, folder: string): Promise<void> {
  const databases = await openDatabase(socketDir, "postgres").sql<{ datname: string }>(
    "select datname from pg_database where datallowconn",
  );
  const query = "select distinct schemaname || '.' || funcname as name from pg_stat_user_functions";
  for (const { datname } of databases) {
    const called = await openDatabase(socketDir, datname).sql<{ name: string }>(query);
    await writeFile(join(folder, `sql-${datname}.json`), JSON.stringify(called.map(({ name }) => name)));
  }
}

async function startMigrated(folder: string, version: PostgresVersion): Promise<PostgresServer> {
  const server = await startPostgres(folder, undefined, version);
  try {
    const database = openDatabase(server.socketDir, "postgres");
    await prepareProject(database);
    await pushMigrations(database);
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}
