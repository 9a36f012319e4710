import { PGlite } from "@electric-sql/pglite";
import { databaseOptions } from "../folder/database.ts";
import { LibraryChanged } from "./library-changed.ts";
import { throwWithoutParameters } from "./sql-error.ts";

/**
 * Opens PGlite on a folder. Its errors are {@link SqlError}s, without statement and parameters. The database may still be
 * starting: await `waitReady`.
 * @throws LibraryChanged when PGlite lacks the method through which its statements pass
 */
export function openDatabase(folder: string): PGlite {
  if (!("execProtocolStream" in PGlite.prototype)) throw new LibraryChanged("PGlite.prototype.execProtocolStream");
  const database = new PGlite(folder, databaseOptions);
  // Every statement passes here, including those that begin and end a transaction. After a panic PGlite sends one
  // more, which hangs.
  const send = database.execProtocolStream.bind(database);
  database.execProtocolStream = (...call) => send(...call).catch(throwWithoutParameters);
  return database;
}
