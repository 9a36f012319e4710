// Makes the files of a new PostgreSQL, in a process of its own (see initialize.ts, which passes this text to Node).
// Arguments: PGlite's CommonJS file, an empty folder, PostgreSQL's start parameters as JSON.
const v8 = require("node:v8");

const [pglite = "", dataDir = "", startParams = "[]"] = process.argv.slice(1);

// It runs once: making its program fast would take longer than it runs.
v8.setFlagsFromString("--liftoff-only");
initialize().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);

async function initialize() {
  /** @type {typeof import("@electric-sql/pglite")} */
  const { PGlite } = require(pglite);
  const database = await PGlite.create({ dataDir, startParams: JSON.parse(startParams) });
  // Each is a whole database, there to be copied into further ones, and nothing here makes one: without them every snapshot,
  // backup and restore has half of the files to handle, and 14 MB less.
  await database.exec("update pg_database set datistemplate = false where datname like 'template_'");
  for (const name of ["template0", "template1"]) await database.exec(`drop database ${name}`);
  await database.close();
}
