// Starts a Supabase project of its real services and two site processes on it: `npm run stack`. The data is deleted at
// the end; `npm run stack -- <folder>` keeps it there and continues with it next time.
import "../bin/node-version.mjs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadModule } from "./load-module.mjs";

const [givenFolder] = process.argv.slice(2);
const folder = givenFolder ? resolve(givenFolder) : await mkdtemp(join(tmpdir(), "stack-"));
const mailFolder = join(folder, "mail");
/** A project's pg_cron delivers every minute; here mail comes sooner. */
const deliverEveryMs = 5_000;

/** @type {(() => unknown)[]} */
const cleanups = [];
let isStopping = false;
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => void stop(0));

console.log("Starting PostgreSQL, Supabase Auth, PostgREST, the functions in Deno, and the site twice…");
try {
  const { startStack } = /** @type {typeof import("../tests/support/stack/stack.ts")} */ (
    await loadModule("tests/support/stack/stack.ts")
  );
  const { startMailServer } = /** @type {typeof import("../tests/functions/support/mail-server.ts")} */ (
    await loadModule("tests/functions/support/mail-server.ts")
  );
  await mkdir(mailFolder, { recursive: true });
  const mail = await startMailServer(0, mailFolder);
  cleanups.push(() => mail.close());
  const functions = { SMTP_URL: mail.url, MAIL_FROM: "Firm <site@firm.example>", CONTACT_TO: "inbox@firm.example" };
  const stack = await startStack({ folder, functions, port: Number(process.env.PORT ?? 3000) });
  cleanups.push(() => stack.close());
  // A project's pg_cron does this daily.
  await stack.database.sql("select public.keep_retention('stack')");
  const timer = setInterval(() => void stack.deliver().catch(() => undefined), deliverEveryMs);
  cleanups.push(() => clearInterval(timer));
  console.log(`
Site:      ${stack.url}
Admin:     ${stack.admin.email}, password ${stack.admin.password}, at ${stack.url}/login
Project:   ${stack.projectUrl} (publishable key ${stack.keys.publishableKey})
Database:  ${stack.databaseUrl}
Mails:     ${mailFolder}
Data:      ${folder}${givenFolder ? "" : ", removed at the end"}

Press Ctrl+C to stop everything.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await stop(1);
}

/** @param {number} code */
async function stop(code) {
  if (isStopping) return;
  isStopping = true;
  for (const cleanUp of cleanups.toReversed()) await cleanUp();
  if (!givenFolder) await rm(folder, { recursive: true, force: true });
  process.exit(code);
}
