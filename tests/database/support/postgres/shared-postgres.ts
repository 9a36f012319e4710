import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { prepareProject, pushMigrations } from "./hosted-project.ts";
import { openDatabase } from "./postgres-database.ts";
import type { PostgresVersion } from "./postgres-programs.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/** Message on the announcement socket: the folder of the server's own socket, or why no server runs. */
export type PostgresStartResult = { socketDir: string } | { failure: string };

/**
 * Shares one PostgreSQL server, with the product's migrations in its database `postgres`, among all test files of a
 * run. It starts when the first file connects, so a run that needs no server starts none.
 * @param folder for the server and for the socket that announces it
 * @returns that socket's path, and a function that stops the server
 */
export async function offerPostgres(
  folder: string,
  version: PostgresVersion,
): Promise<{ path: string; stop(): Promise<void> }> {
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
      await server?.close();
    },
  };
}

async function startMigrated(folder: string, version: PostgresVersion): Promise<PostgresServer> {
  const server = await startPostgres(folder, undefined, undefined, version);
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
