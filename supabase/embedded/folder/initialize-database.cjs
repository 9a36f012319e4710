// Makes the files of a new PostgreSQL database in a separate process (see initialize.ts, which passes this text to
// Node). Arguments: path of PGlite's CommonJS file, an empty folder, PostgreSQL's start parameters as JSON.
const v8 = require("node:v8");

const [pglite = "", dataDir = "", startParams = "[]"] = process.argv.slice(1);

// This code runs once; optimizing it would take longer than running it.
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
  // Nothing here creates databases from these templates. Without them every snapshot, backup and restore handles half
  // as many files and 14 MB less.
  await database.exec("update pg_database set datistemplate = false where datname like 'template_'");
  for (const name of ["template0", "template1"]) await database.exec(`drop database ${name}`);
  await database.close();
}
