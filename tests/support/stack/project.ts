import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Secrets, makeSettings } from "../../../deploy/self-hosted/make-settings.mjs";
import { pushMigrations } from "../../database/support/postgres/hosted-project.ts";
import type { PostgresDatabase } from "../../database/support/postgres/postgres-database.ts";
import { findFreePort } from "../free-port.ts";
import { type UnitChanges, startUnit } from "./unit.ts";

/** A self-hosted project: the units of deploy/self-hosted, on free ports. */
export interface Project {
  /** the gateway's address */
  url: string;
  settings: Awaited<ReturnType<typeof makeSettings>>;
  /** for further units of the project, like those of its timers */
  changes: UnitChanges;
  /** Returns the output of all units so far. */
  output(): string;
  close(): Promise<void>;
}

/** Options of a project. */
export interface ProjectOptions {
  siteUrl: string;
  secrets: Secrets;
  /** the lines of functions.env that an operator fills in */
  functions: Record<string, string>;
  /** without Supabase Auth (`auth`), the database has the tables of its stand-in already */
  programs: Record<string, string>;
}

/** Starts the services, and runs the pending migrations. */
export async function startProject(
  database: PostgresDatabase,
  { siteUrl, secrets, functions, programs }: ProjectOptions,
): Promise<Project> {
  const [authPort, restPort, functionsPort, gatewayPort] = await Promise.all(Array.from({ length: 4 }, findFreePort));
  const url = `http://127.0.0.1:${gatewayPort}`;
  const made = await makeSettings({ siteUrl, projectUrl: url }, secrets);
  const settings = { ...made, "functions.env": { ...made["functions.env"], ...functions } };
  const home = await mkdtemp(join(tmpdir(), "advisory-units-"));
  const databaseUrl = (role: string) =>
    `postgres://${role}@/${database.name}?host=${encodeURIComponent(database.socketDir)}`;
  const environment = {
    DATABASE_URL: databaseUrl("supabase_auth_admin"),
    PORT: String(authPort),
    AUTH_PORT: String(authPort),
    PGRST_DB_URI: databaseUrl("authenticator"),
    PGRST_SERVER_PORT: String(restPort),
    REST_PORT: String(restPort),
    FUNCTIONS_PORT: String(functionsPort),
    GATEWAY_PORT: String(gatewayPort),
    HOME: home,
    DENO_DIR: home,
    NODE_ENV: process.env.NODE_ENV ?? "test",
    NO_COLOR: "1",
  };
  const changes = { programs, settings, environment };
  const cleanups: (() => Promise<void>)[] = [() => rm(home, { recursive: true, force: true })];
  const outputs: (() => string)[] = [];
  const close = async () => {
    for (const end of cleanups.splice(0).toReversed()) await end();
  };
  const start = async (name: string, port: number | undefined, path: string, status: number) => {
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}${path}`)).status === status;
    const service = await startUnit(`site-${name}.service`, changes, isReady);
    outputs.push(service.output);
    cleanups.push(() => service.stop("TERM"));
  };
  try {
    if (programs.auth) await start("auth", authPort, "/health", 200);
    await pushMigrations(database);
    await Promise.all([
      start("rest", restPort, "/contact_submissions?limit=0", 401),
      start("functions", functionsPort, "/functions/v1/deliver-outbox", 405),
      start("gateway", gatewayPort, "/", 404),
    ]);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, settings, changes, output: () => outputs.map((read) => read()).join(""), close };
}
