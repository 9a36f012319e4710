import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { prepareProject, pushMigrations } from "./hosted-project.ts";
import { openDatabase } from "./postgres-database.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/** What is said on that socket: the folder of the server's own, or why there is none. */
export type PostgresOffer = { socketDir: string } | { failure: string };

/**
 * Offers one PostgreSQL server, with the product's migrations in its database `postgres`, to all test files of a run. It is
 * started when the first of them asks, so that a run which needs none has none.
 * @param folder for the server and for the socket that it is offered on
 * @returns that socket's path, and what stops the server
 */
export async function offerPostgres(folder: string): Promise<{ path: string; stop(): Promise<void> }> {
  let starting: Promise<PostgresServer> | undefined;
  const offer = createServer(async (asker) => {
    starting ??= startMigrated(folder);
    const answer: PostgresOffer = await starting.then(
      ({ socketDir }) => ({ socketDir }),
      (error: Error) => ({ failure: error.message }),
    );
    asker.end(JSON.stringify(answer));
  });
  const path = join(folder, "postgres-offer");
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

async function startMigrated(folder: string): Promise<PostgresServer> {
  const server = await startPostgres(folder);
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
