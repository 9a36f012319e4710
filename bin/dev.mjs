// Development: `npm run dev` serves the sources through production's listener, with Vite instead of the build. `npm run
// seed` fills its database with examples. Both use a separate data folder.
import "./node-version.mjs";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { loadEnvFile } from "./env-file.mjs";
import { reportFailure } from "./report-failure.mjs";
import { nameCommands } from "./surroundings.mjs";

process.env.NODE_ENV = "development";
process.env.DATA_DIR ??= "./data-development";
nameCommands();
const namesInFile = readEnvFile();
const dataDir = process.env.DATA_DIR;
const isEmbedded = !process.env.SUPABASE_URL;
const adminEmail = process.env.ADMIN_EMAIL || "admin@site.localhost";
if (isEmbedded)
  Object.assign(process.env, {
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: process.env.ADMIN_PASSWORD || loadOrCreatePassword(),
  });

// Imported after the check of Node's version, since Vite needs a recent one.
const { createServer } = await import("vite");
const { createMailPages } = await import("./dev-mail.mjs");
const vite = await createServer({
  appType: "custom",
  server: { middlewareMode: true, cors: false, hmr: { port: 24678 } },
});
if (process.argv[2] === "seed") await seed();
else await serve();

async function serve() {
  const loadBuild = () => vite.ssrLoadModule("virtual:remix/server-build");
  const build = await loadBuild();
  const mailPages = createMailPages(join(dataDir, "mail"));
  vite.watcher.on("all", (_event, path) => announceRestart(relative(".", path)));
  try {
    await build.entry.module.startServer(loadBuild, {
      namesInFile,
      cachesPages: false,
      keepsConsole: true,
      /** @type {import("../app/server/http/static-files.server").ServeFiles} */
      serveFiles: (request, response, next) => {
        vite.middlewares(request, response, () => mailPages(request, response, next));
      },
    });
  } catch (error) {
    await vite.close();
    reportFailure(error);
    process.exit(1);
  }
  if (!isEmbedded) return;
  const site = `http://localhost:${process.env.PORT ?? 3000}`;
  console.log(`Admin:  ${adminEmail}, password ${process.env.ADMIN_PASSWORD}, at ${site}/login`);
  console.log(`Mails:  ${site}/dev/mail`);
}

async function seed() {
  const { startEmbeddedBackend } = await vite.ssrLoadModule("/supabase/embedded/embedded-backend.ts");
  try {
    const backend = await startEmbeddedBackend({
      dataDir,
      siteUrl: "http://localhost:3000",
      admin: { email: adminEmail, password: process.env.ADMIN_PASSWORD },
      functions: {},
    });
    await backend.sql(readFileSync("supabase/seed.sql", "utf8"));
    await backend.close();
    console.log(`The examples from supabase/seed.sql are now in ${dataDir}.`);
  } catch (error) {
    if (error instanceof Error && error.name === "DataFolderInUse")
      console.error("Stop `npm run dev` first: only one process can use the database.");
    else reportFailure(error);
    process.exitCode = 1;
  } finally {
    await vite.close();
  }
}

function readEnvFile() {
  try {
    return loadEnvFile();
  } catch (error) {
    reportFailure(error);
    process.exit(1);
  }
}

/**
 * Returns the same password at every start, so that each start can print it: no other machine can reach this server.
 */
function loadOrCreatePassword() {
  const path = join(dataDir, "admin-password");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) writeFileSync(path, randomBytes(12).toString("base64url"), { mode: 0o600 });
  return readFileSync(path, "utf8").trim();
}

/**
 * Announces edits that need a restart. Pages, features and functions reload by themselves; the server's own modules do
 * not. @param {string} path
 */
function announceRestart(path) {
  const file = path.replaceAll("\\", "/");
  if (file.startsWith("supabase/migrations/"))
    console.log(
      `${file} changed. Restart to apply a new migration. If you changed an old one, delete ${dataDir} first.`,
    );
  else if (/^(app\/server|supabase\/embedded)\//.test(file)) console.log(`${file} changed. Restart to apply it.`);
}
