import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { prepareProject } from "../../database/support/postgres/hosted-project.ts";
import { openDatabase, type PostgresDatabase } from "../../database/support/postgres/postgres-database.ts";
import { type PostgresServer, startPostgres } from "../../database/support/postgres/postgres-server.ts";
import { type Product, startProduct } from "../product.ts";
import { startBalancer } from "./balancer.ts";
import { findAuthProgram, noAuthProgram } from "./auth-program.ts";
import { type Project, startProject } from "./project.ts";

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
  /** an empty folder, for its data */
  folder: string;
  /** settings of the functions, including the mail server */
  functions: Record<string, string>;
  /** settings of the site's processes, beyond those that follow from the project */
  site?: Record<string, string>;
  /** false creates no account */
  withAdmin?: boolean;
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
  { folder, functions, site = {}, withAdmin = true }: StackOptions,
  cleanups: (() => unknown)[],
  close: () => Promise<void>,
): Promise<Stack> {
  const [siteKey, sessionSecret] = [newSecret(), newSecret()];
  const admin = { email: "admin@firm.example", password: newSecret() };
  const balancer = await startBalancer();
  cleanups.push(() => balancer.close());

  // PostgreSQL may run as another user, and its folder lies inside this one.
  await chmod(folder, 0o711);
  const postgres = await startPostgres(undefined, join(folder, "postgres"));
  cleanups.push(() => postgres.close());
  const database = openDatabase(postgres.socketDir, "postgres");
  await prepareProject(database, { withAuthService: true });
  const project = await startProject(database, {
    siteUrl: balancer.url,
    siteKey,
    functions: { ADMIN_EMAILS: admin.email, ...functions },
    auth,
    onClose: (end) => void cleanups.push(end),
  });
  const { keys } = project;
  if (withAdmin) await createAdmin(project.url, keys.secretKey, admin);

  const sites: Product[] = [];
  const addSite: Stack["addSite"] = async (cwd) => {
    const ofProject = {
      SITE_URL: balancer.url,
      TRUSTED_PROXIES: "1",
      SUPABASE_URL: project.url,
      SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
      SITE_KEY: siteKey,
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
    sites,
    addSite,
    deliver: async () => {
      const headers = { apikey: keys.secretKey };
      return (await fetch(`${project.url}/functions/v1/deliver-outbox`, { method: "POST", headers })).status;
    },
    close,
  };
}

const newSecret = () => randomBytes(32).toString("hex");

/** Creates the account as an operator does in the dashboard. */
async function createAdmin(url: string, secretKey: string, admin: Stack["admin"]): Promise<void> {
  const answer = await fetch(`${url}/auth/v1/admin/users`, {
    method: "POST",
    headers: { apikey: secretKey, "content-type": "application/json" },
    body: JSON.stringify({ ...admin, email_confirm: true }),
  });
  if (!answer.ok) throw new Error(`Supabase Auth created no account: ${answer.status} ${await answer.text()}`);
}
