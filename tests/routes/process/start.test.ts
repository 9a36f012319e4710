import { once } from "node:events";
import { readFile, readdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { withDatabaseOf } from "../../support/find-text";
import { makeDataDir, startProduct, testAdmin } from "../../support/product";
import { startSite } from "../../support/site";
import { makeSiteFolder } from "../../support/site-folder";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import { startEarly } from "../support/early-product";

describe("starting", () => {
  it("keeps secrets private to its user, and locks its folder against another process", async () => {
    const site = await startSite();
    for (const name of ["secrets.json", "session-secret"]) {
      expect((await stat(join(site.dataDir, name))).mode & 0o077, name).toBe(0);
    }
    expect((await readFile(join(site.dataDir, "session-secret"), "utf8")).length).toBeGreaterThanOrEqual(64);
    await expect(startProduct({}, { dataDir: site.dataDir })).rejects.toThrow(site.dataDir);
    expect((await new Visitor(site.url).post("/contact", filledContactForm)).status).toBe(303);
    await site.stop();
  });

  it("names every invalid setting at once without values", async () => {
    const wrong = {
      PORT: "80a80",
      SITE_URL: "ftp://secret-site",
      SESSION_SECRET: "secret-short",
      ADMIN_PASSWORD: "secret-1",
    };
    const start = startProduct({ ...wrong, SUPABASE_PUBLISHABLE_KEY: "secret-key" }, { dataDir: await makeDataDir() });
    const failure = await start.then(
      () => "",
      (error: Error) => error.message,
    );
    for (const name of Object.keys(wrong)) expect(failure).toContain(`- ${name} `);
    expect(failure).not.toContain("secret-");
    expect(failure).not.toContain("80a80");
    expect(failure).toContain("SUPABASE_URL is missing");
  });
});

describe("on https", () => {
  it("sets Secure __Host- cookies and HSTS, and accepts forms of the canonical origin only", async () => {
    const product = await startSite({ SITE_URL: "https://firm.example" });
    const visitor = new Visitor(product.url);
    const refused = await visitor.post("/contact", filledContactForm);
    expect(refused.status).toBe(403);
    const accepted = await visitor.post("/contact", filledContactForm, { Origin: "https://firm.example" });
    expect(accepted.status).toBe(303);
    const signedIn = await visitor.post("/login", testAdmin, { Origin: "https://firm.example" });
    for (const answer of [accepted, signedIn]) {
      for (const cookie of answer.headers.getSetCookie()) {
        expect(cookie).toMatch(/^__Host-[^;]+;.*; Secure/);
        expect(cookie).not.toMatch(/domain=/i);
      }
    }
    const page = await visitor.get("/admin");
    expect(page.status).toBe(200);
    expect(page.headers.get("strict-transport-security")).toContain("max-age=");
    await product.stop();
  });
});

describe("under stock remix-serve", () => {
  it("keeps the application's own guarantees: forms, guards, sign-in, document headers", async () => {
    const product = await startProduct({}, { server: "plain" });
    const visitor = new Visitor(product.url);
    // This server listens before its database is open, and a busy machine may take longer than a form waits.
    const link = `/data-rights/status?token=${"x".repeat(64)}`;
    await expect.poll(async () => (await visitor.get(link)).status).not.toBe(503);
    const sent = await visitor.postAndFollow("/contact", filledContactForm);
    expect(readText(sent.html)).toContain("Message Sent!");
    expect(sent.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect((await visitor.post("/contact", { name: "x" })).status).toBe(400);
    expect((await visitor.post("/contact", { message: "x".repeat(300_000) })).status).toBe(413);
    await visitor.signIn();
    expect(readText((await visitor.get("/admin")).html)).toContain(filledContactForm.name);
    await product.kill();
  });
});

describe("a failing start", () => {
  it("exits with code 1 and the migration's name, and accepts no form in the meantime", async () => {
    const dataDir = await makeSiteFolder();
    const [version = ""] = await forgetFirstMigration(dataDir);
    const product = await startEarly(dataDir);
    const sent = await new Visitor(product.url).post("/contact", filledContactForm).catch(() => ({ status: 0 }));
    expect(await product.ended).toBe(1);
    expect([0, 503]).toContain(sent.status);
    expect(product.output()).toMatch(new RegExp(`^Migration ${version}\\S+ failed and was rolled back\\.`, "m"));
    expect(product.output()).not.toContain("Ready:");
  });

  it("with an occupied port opens no database and exits with code 1", async () => {
    const dataDir = await makeDataDir();
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    await expect(startProduct({ PORT: String(port) }, { dataDir })).rejects.toThrow("EADDRINUSE");
    other.close();
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringMatching(/^(pg|secrets)/));
  });
});

it("loads the embedded database and the metrics only when needed", async () => {
  const loaded = await readStaticImports("build/server/index.js");
  expect(loaded.files).toBeGreaterThan(1);
  expect(loaded.packages).toContain("@supabase/supabase-js");
  for (const name of ["@electric-sql/pglite", "nodemailer", "pg", "prom-client", "tar"]) {
    expect(
      loaded.packages.filter((found) => found === name || found.startsWith(`${name}/`)),
      name,
    ).toEqual([]);
  }
});

/** Makes a folder on which the next start must fail, because it would apply an applied migration again. */
async function forgetFirstMigration(dataDir: string): Promise<string[]> {
  const rows = await withDatabaseOf(dataDir, (sql) =>
    sql<{ version: string }>(
      `delete from supabase_migrations.schema_migrations where version =
         (select min(version) from supabase_migrations.schema_migrations) returning version`,
    ),
  );
  return rows.map(({ version }) => version);
}

/** Lists every package that loads with a built file, and counts the files of the build among them. */
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
