import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, readdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { makeDataDir, startProduct, testAdmin } from "../../support/product";
import { withDatabaseOf } from "../../support/find-text";
import { makeSiteFolder } from "../../support/site-folder";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import { type EarlyProduct, startEarly } from "../support/early-product";

let product: EarlyProduct | undefined;
/** A data folder whose first start was stopped: the next start on it is like one on an empty folder. */
let interrupted: string | undefined;

afterEach(async () => {
  product?.signal("SIGKILL");
  await product?.ended;
  product = undefined;
});

describe("before its backend is there", () => {
  it("makes its folder for its owner only, with those above it that are missing; stops on a signal, at once and cleanly, and can be started again", async () => {
    const folder = join(await makeDataDir(), "deep", "data");
    product = await startEarly(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await expect
      .poll(() => readdir(folder), { timeout: 20_000, interval: 20 })
      .toContainEqual(expect.stringMatching(/^pg\.init/));
    const begin = performance.now();
    product.signal("SIGTERM");
    expect(await product.ended).toBe(0);
    expect(performance.now() - begin).toBeLessThan(5_000);
    expect(product.output()).toContain("server.stopped");
    expect(product.output()).not.toContain("Ready:");
    expect(product.output()).not.toContain('"level":"error"');
    expect(await readdir(folder)).not.toContain("pg");

    // Once more while a database is being opened that is there: it is closed again, or was never opened.
    const siteFolder = await makeSiteFolder();
    product = await startEarly(siteFolder);
    product.signal("SIGTERM");
    expect(await product.ended).toBe(0);
    expect(product.output()).not.toContain('"level":"error"');
    const again = await startProduct({}, { dataDir: siteFolder });
    expect(await again.stop()).toBe(0);
    interrupted = folder;
  });

  it("answers pages, tells probes that it starts, accepts a form only once that is kept, and prints no password that was given", async () => {
    product = await startEarly(interrupted ?? (await makeDataDir()));
    const { url } = product;
    // The first visitors need not have it rendered, each anew.
    expect((await fetch(url)).headers.get("etag")).not.toBeNull();
    const readiness = await fetch(`${url}/readyz`);
    expect(readiness.status).toBe(503);
    expect(await readiness.json()).toEqual({ ready: false });
    expect(await (await fetch(`${url}/healthz`)).text()).toBe("starting\n");
    expect((await checkHealth(url)).code).toBe(1);
    for (const path of ["/", "/privacy-policy", "/contact"]) expect((await fetch(url + path)).status, path).toBe(200);

    // Nobody need be asked who a stranger is, who brings no session.
    for (const path of ["/admin", "/admin/requests"]) {
      const { status, headers } = await fetch(url + path, { redirect: "manual" });
      expect([status, headers.get("location")], path).toEqual([303, "/login"]);
    }
    expect(await (await fetch(`${url}/healthz`)).text()).toBe("starting\n");

    // A database is made for seconds: some are told to try again, some wait and are served.
    const begin = performance.now();
    const [signedIn, ...early] = await Promise.all([
      new Visitor(url).signIn(),
      ...["One", "Two", "Three"].map((name) => send(url, name)),
    ]);
    expect(performance.now() - begin).toBeLessThan(30_000);
    const kept = signedIn.html.includes(`value="${testAdmin.email}"`) ? ", with the email" : "";
    expect(["303", "503, with the email"]).toContain(signedIn.status + kept);
    await product.ready;
    const late = await send(url, "Four");
    expect(late.status).toBe(303);
    expect((await checkHealth(url)).code).toBe(0);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);

    const inbox = await readInbox(url);
    for (const { name, status, text } of [...early, late]) {
      expect(inbox.split(`Visitor ${name}`).length - 1, name).toBe(status === 303 ? 1 : 0);
      if (status === 303) continue;
      expect(status).toBe(503);
      expect(text).toContain("Failed to send message. Please try again or email us directly.");
      expect(text).toContain(`Visitor ${name}`);
    }
    expect(product.output()).toContain("Ready:");
    expect(product.output()).not.toContain(testAdmin.password);
  });
});

describe("a start that fails", () => {
  it("ends with 1 and the migration's name, and accepts no form on the way", async () => {
    const dataDir = await makeSiteFolder();
    const [version = ""] = await forgetFirstMigration(dataDir);
    product = await startEarly(dataDir);
    const sent = await send(product.url, "Nobody").catch(() => ({ status: 0 }));
    expect(await product.ended).toBe(1);
    expect([0, 503]).toContain(sent.status);
    expect(product.output()).toMatch(new RegExp(`^Migration ${version}\\S+ failed and was rolled back\\.`, "m"));
    expect(product.output()).not.toContain("Ready:");
  });

  it("over a port that is taken opens no database and ends with 1", async () => {
    const dataDir = await makeDataDir();
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    await expect(startProduct({ PORT: String(port) }, { dataDir })).rejects.toThrow("EADDRINUSE");
    other.close();
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringMatching(/^(pg|secrets)/));
  });
});

it("loads nothing of the embedded database before it needs it: with a project elsewhere it never does", async () => {
  const loaded = await readStaticImports("build/server/index.js");
  expect(loaded.files).toBeGreaterThan(1);
  expect(loaded.packages).toContain("@supabase/supabase-js");
  for (const name of ["@supabase/lite", "@electric-sql/pglite", "nodemailer", "pg", "tar"]) {
    expect(
      loaded.packages.filter((found) => found === name || found.startsWith(`${name}/`)),
      name,
    ).toEqual([]);
  }
});

async function send(url: string, name: string): Promise<{ name: string; status: number; text: string }> {
  const form = { ...filledContactForm, name: `Visitor ${name}`, email: `${name.toLowerCase()}@harbor.example` };
  const { status, html } = await new Visitor(url).post("/contact", form);
  // What was typed is in attributes, which the words of a page are without.
  return { name, status, text: readText(html) + html };
}

async function readInbox(url: string): Promise<string> {
  const admin = new Visitor(url);
  await admin.signIn();
  return readText((await admin.get("/admin")).html);
}

/** What the container's health check says. */
function checkHealth(url: string): Promise<{ code: number | null }> {
  const child = execFile(process.execPath, ["bin/site.mjs", "healthcheck"], {
    env: { PATH: process.env.PATH, PORT: new URL(url).port, NODE_ENV: "production" },
  });
  return once(child, "close").then(([code]) => ({ code: code as number | null }));
}

/** Makes a folder on which the next start must fail: a migration that has been applied is to be applied once more. */
async function forgetFirstMigration(dataDir: string): Promise<string[]> {
  const rows = await withDatabaseOf(dataDir, (sql) =>
    sql<{ version: string }>(
      `delete from supabase_migrations.schema_migrations where version =
         (select min(version) from supabase_migrations.schema_migrations) returning version`,
    ),
  );
  return rows.map(({ version }) => version);
}

/** Every package that is loaded along with a built file, and how many files of the build are. */
async function readStaticImports(entry: string): Promise<{ files: number; packages: string[] }> {
  const packages = new Set<string>();
  const files = new Set([entry]);
  for (const file of files) {
    const text = await readFile(file, "utf8");
    for (const [, name = ""] of text.matchAll(/^(?:import|export)\b[^;'"]*["']([^"']+)["']/gm)) {
      if (name.startsWith(".")) files.add(join(dirname(file), name));
      else packages.add(name);
    }
  }
  return { files: files.size, packages: [...packages] };
}
