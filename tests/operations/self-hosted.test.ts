import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeSecrets } from "../../deploy/self-hosted/make-settings.mjs";
import { startService } from "../database/support/postgres/child-process";
import { prepareProject } from "../database/support/postgres/hosted-project";
import { type PostgresDatabase, openDatabase } from "../database/support/postgres/postgres-database";
import { type PostgresServer, startPostgres } from "../database/support/postgres/postgres-server";
import { findPostgrestBinary } from "../database/support/postgres/postgrest";
import { findDeno } from "../functions/support/deno";
import { type MailServer, startMailServer } from "../functions/support/mail-server";
import { findFreePort } from "../support/free-port";
import { type Product, startProduct } from "../support/product";
import { makeDataDir } from "../support/site-folder";
import { findAuthProgram, findCaddyProgram, noCaddyProgram } from "../support/stack/programs";
import { type Project, startProject } from "../support/stack/project";
import { readUnit } from "../support/stack/unit";
import { Visitor, filledContactForm } from "../support/visitor";
import { diagnose, lineOf, problemsOf, supplyFacts } from "./support/doctor";

const run = promisify(execFile);
const caddy = findCaddyProgram();
/** On machines without Supabase Auth, tables stand in for it, and its address leads nowhere. */
const auth = findAuthProgram();

describe.skipIf(!caddy)(`a project set up by deploy/self-hosted${caddy ? "" : ` (skipped: ${noCaddyProgram})`}`, () => {
  let postgres: PostgresServer;
  let database: PostgresDatabase;
  let mail: MailServer;
  let project: Project;
  let site: Product;
  let settings: Record<string, string>;
  let functionNames: string[];

  beforeAll(async () => {
    functionNames = (await readdir("supabase/functions")).filter((name) => name !== "_shared");
    [mail, postgres] = await Promise.all([startMailServer(), startPostgres(undefined, undefined, "postgres")]);
    database = openDatabase(postgres.socketDir, "postgres", "postgres");
    await prepareProject(database, { withAuthService: auth !== null });
    const programs = { caddy: caddy ?? "", deno: findDeno(), postgrest: findPostgrestBinary() };
    project = await startProject(database, {
      siteUrl: "https://firm.example",
      secrets: makeSecrets(),
      functions: {
        ADMIN_EMAILS: "admin@firm.example",
        SMTP_URL: mail.url,
        MAIL_FROM: "Firm <site@firm.example>",
        CONTACT_TO: "inbox@firm.example",
      },
      programs: auth ? { auth, ...programs } : programs,
    });
    settings = {
      ...project.settings["site.env"],
      SITE_FACTS: await supplyFacts(),
      PORT: String(await findFreePort()),
      METRICS_PORT: String(await findFreePort()),
    };
    const ofProject = { ADMIN_EMAIL: "", ADMIN_PASSWORD: "", BACKUP_EVERY: "", ACKNOWLEDGEMENTS_PER_HOUR: "" };
    site = await startProduct({ ...settings, ...ofProject }, { dataDir: await makeDataDir() });
  });
  afterAll(async () => {
    await site?.stop();
    await project?.close();
    await Promise.all([postgres?.close(), mail?.close()]);
  });

  const listRecipients = () => mail.received.flatMap(({ recipients }) => recipients);

  /** Runs the command of a timer's service, as systemd does. */
  async function runTimer(name: string) {
    const { program, args, input } = await readUnit(`site-${name}.service`, project.changes);
    const running = run(program, args);
    running.child.stdin?.end(input);
    await running;
  }

  it("stores a message and mails it to the firm", async () => {
    const answer = await new Visitor(site.url).post("/contact", filledContactForm, { Origin: "https://firm.example" });
    expect(answer.status).toBe(303);
    await runTimer("outbox");
    await expect.poll(listRecipients).toContain("inbox@firm.example");
  });

  it("has nothing to fix, according to the doctor", async () => {
    await runTimer("retention");
    const diagnosis = await diagnose({ ...settings, DATABASE_URL: databaseUrlOf(database) });
    const ofMissingAuth = expect.stringMatching(/^look at authentication: It is down/);
    expect(problemsOf(diagnosis)).toEqual(auth ? [] : [ofMissingAuth]);
    for (const name of ["project", "migrations", "SITE_KEY", "outbox timer", "retention timer"])
      expect(lineOf(diagnosis, "ok", name)).toContain(`ok ${name}: `);
    const named = diagnosis.findings.filter(({ name, verdict }) => verdict === "ok" && name.startsWith("function "));
    expect(named.map(({ name }) => name.slice("function ".length)).toSorted()).toEqual(functionNames);
  });

  it("rejects a wrong key, and says so", async () => {
    const wrong = await diagnose({ ...settings, SUPABASE_PUBLISHABLE_KEY: "sb_publishable_other" });
    expect(lineOf(wrong, "fix", "project")).toContain("rejects SUPABASE_PUBLISHABLE_KEY");
    const key = project.settings["site.env"].SUPABASE_PUBLISHABLE_KEY;
    const headers = { apikey: key, "content-type": "application/json" };
    const init = { method: "POST", headers, body: '{"source":"timer"}' };
    expect((await fetch(`${project.url}/rest/v1/rpc/keep_retention`, init)).status).toBe(401);
    expect((await fetch(`${project.url}/functions/v1/deliver-outbox`, init)).status).toBe(403);
  });

  it("passes each function through the gateway, and responds to unknown paths with 404", async () => {
    for (const name of functionNames)
      expect([name, (await fetch(`${project.url}/functions/v1/${name}`)).status]).toEqual([name, 405]);
    const unknown = ["/", "/auth/v1", "/storage/v1/object", "/functions/v1/", "/functions/v1/other", "/rest/v2/people"];
    for (const path of unknown) expect([path, (await fetch(project.url + path)).status]).toEqual([path, 404]);
  });

  it.skipIf(process.platform !== "linux")("accepts connections on 127.0.0.1 only", async () => {
    const { AUTH_PORT, REST_PORT, FUNCTIONS_PORT, GATEWAY_PORT } = project.changes.environment;
    const ports = [...(auth ? [AUTH_PORT] : []), REST_PORT, FUNCTIONS_PORT, GATEWAY_PORT];
    for (const port of ports) {
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBeLessThan(500);
      // Another address of the same machine: a server that listens on all addresses accepts it.
      const other = fetch(`http://127.0.0.2:${port}/`);
      await expect(other).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
    }
  });

  it.skipIf(process.platform !== "linux")("has functions named that listen on all addresses", async () => {
    const port = String(await findFreePort());
    const environment = { ...project.changes.environment, FUNCTIONS_PORT: port };
    const { program, args } = await readUnit("site-functions.service", { ...project.changes, environment });
    const open = args.map((argument) => argument.replace("127.0.0.1", "0.0.0.0"));
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/`)).status === 404;
    const service = await startService(program, open, { env: { ...process.env, ...environment } }, isReady);
    const diagnosis = await diagnose(settings);
    await service.stop("TERM");
    expect(lineOf(diagnosis, "look at", "listeners")).toContain(
      `process accepts connections on port ${port} from every`,
    );
  });

  it("has every migration, so running them again changes nothing", async () => {
    const env = { ...process.env, DATABASE_URL: databaseUrlOf(database) };
    const { stdout } = await run(process.execPath, ["deploy/self-hosted/migrate.mjs"], { env });
    expect(stdout).toBe("Nothing to do: the database has every migration.\n");
  });
});

function databaseUrlOf({ socketDir, name }: PostgresDatabase): string {
  return `postgresql://postgres@/${name}?host=${encodeURIComponent(socketDir)}`;
}
