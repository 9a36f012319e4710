import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { prepareProject } from "../../database/support/postgres/hosted-project.ts";
import { openDatabase, type PostgresDatabase } from "../../database/support/postgres/postgres-database.ts";
import { type PostgresServer, startPostgres } from "../../database/support/postgres/postgres-server.ts";
import { type Product, startProduct } from "../product.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { findAuthProgram, noAuthProgram } from "./auth-program.ts";
import { type Project, type ProjectSecrets, makeSecrets, startProject } from "./project.ts";

/** A Supabase project of real services, and the site on it. */
export interface Stack {
  /** the site's address: the balancer */
  url: string;
  /** the project's address: SUPABASE_URL of the site */
  projectUrl: string;
  keys: Project["keys"];
  admin: { email: string; password: string };
  database: PostgresDatabase;
  /** like `DATABASE_URL`, with the rights of the role postgres */
  databaseUrl: string;
  postgres: PostgresServer;
  balancer: Balancer;
  sites: Product[];
  /** Starts one more process of the site and adds it to the balancer. */
  addSite(folder?: string): Promise<Product>;
  /** Delivers due emails, as a project's timer does; returns the function's status. */
  deliver(): Promise<number>;
  /** Stops everything. */
  close(): Promise<void>;
}

/** Options of a stack. */
export interface StackOptions {
  /** holds its data; a new stack continues with what an earlier one left there */
  folder: string;
  /** settings of the functions, including the mail server */
  functions: Record<string, string>;
  /** settings of the site's processes, beyond those that follow from the project */
  site?: Record<string, string>;
  /** port of the site's address; by default any free port */
  port?: number;
  /** false creates no account */
  withAdmin?: boolean;
}

/** Secrets that must stay the same when a stack continues. */
interface Secrets {
  project: ProjectSecrets;
  sessionSecret: string;
  admin: { email: string; password: string };
}

/** Settings of `startProduct` that have no effect with a project, about which the site would warn. */
const ofEmbedded = { ADMIN_EMAIL: "", ADMIN_PASSWORD: "", BACKUP_EVERY: "", ACKNOWLEDGEMENTS_PER_HOUR: "" };

/**
 * Starts a stack.
 * @throws with installation instructions, when this machine lacks one of the services
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const auth = findAuthProgram();
  if (!auth) throw new Error(`There is ${noAuthProgram}.`);
  const cleanups: (() => unknown)[] = [];
  const close = async () => {
    for (const end of cleanups.splice(0).toReversed()) await end();
  };
  try {
    return await startAll(auth, options, cleanups, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function startAll(
  auth: string,
  { folder, functions, site = {}, port = 0, withAdmin = true }: StackOptions,
  cleanups: (() => unknown)[],
  close: () => Promise<void>,
): Promise<Stack> {
  const { project: secrets, sessionSecret, admin } = await ensureSecrets(folder);
  const balancer = await startBalancer(port);
  cleanups.push(() => balancer.close());

  const isNew = !existsSync(join(folder, "postgres"));
  const postgres = await startPostgres(undefined, join(folder, "postgres"));
  cleanups.push(() => postgres.close());
  const database = openDatabase(postgres.socketDir, "postgres");
  if (isNew) await prepareProject(database, { withAuthService: true });
  const project = await startProject(database, {
    siteUrl: balancer.url,
    secrets,
    functions: { ADMIN_EMAILS: admin.email, ...functions },
    auth,
  });
  cleanups.push(() => project.close());
  const { keys } = project;
  if (isNew && withAdmin) await createAdmin(project.url, keys.secretKey, admin);

  const sites: Product[] = [];
  const addSite: Stack["addSite"] = async (cwd) => {
    const ofProject = {
      SITE_URL: balancer.url,
      TRUSTED_PROXIES: "1",
      SUPABASE_URL: project.url,
      SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
      SITE_KEY: secrets.siteKey,
      SESSION_SECRET: sessionSecret,
    };
    const settings = { ...ofProject, ...ofEmbedded, DRAIN_SECONDS: "2", ...site };
    const product = await startProduct(settings, { dataDir: join(folder, "site"), cwd, timeouts: "production" });
    cleanups.push(() => product.stop());
    sites.push(product);
    balancer.sites.add(product.url.replace("localhost", "127.0.0.1"));
    return product;
  };
  await Promise.all([addSite(), addSite()]);
  return {
    url: balancer.url,
    projectUrl: project.url,
    keys,
    admin,
    database,
    databaseUrl: `postgresql://postgres@/postgres?host=${encodeURIComponent(postgres.socketDir)}`,
    postgres,
    balancer,
    sites,
    addSite,
    deliver: async () => {
      const headers = { apikey: keys.secretKey };
      return (await fetch(`${project.url}/functions/v1/deliver-outbox`, { method: "POST", headers })).status;
    },
    close,
  };
}

/** Creates the account as an operator does in the dashboard. */
async function createAdmin(url: string, secretKey: string, admin: Secrets["admin"]): Promise<void> {
  const answer = await fetch(`${url}/auth/v1/admin/users`, {
    method: "POST",
    headers: { apikey: secretKey, "content-type": "application/json" },
    body: JSON.stringify({ ...admin, email_confirm: true }),
  });
  if (!answer.ok) throw new Error(`Supabase Auth created no account: ${answer.status} ${await answer.text()}`);
}

async function ensureSecrets(folder: string): Promise<Secrets> {
  await mkdir(folder, { recursive: true });
  // PostgreSQL may run as another user, and its folder lies inside this one.
  await chmod(folder, 0o711);
  const file = join(folder, "stack.json");
  if (existsSync(file)) return JSON.parse(await readFile(file, "utf8")) as Secrets;
  const made: Secrets = {
    project: makeSecrets(),
    sessionSecret: randomBytes(32).toString("hex"),
    admin: { email: "admin@firm.example", password: randomBytes(12).toString("base64url") },
  };
  await writeFile(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}
