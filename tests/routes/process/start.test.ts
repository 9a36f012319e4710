import { once } from "node:events";
import { readFile, readdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeDataDir, startProduct, testAdmin } from "../../support/product";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import { openSite } from "../support/world";

it("keeps secrets private to its user, and locks its folder against another process", async () => {
  const { dataDir } = await openSite();
  for (const name of ["secrets.json", "session-secret"])
    expect((await stat(join(dataDir, name))).mode & 0o077, name).toBe(0);
  expect((await readFile(join(dataDir, "session-secret"), "utf8")).length).toBeGreaterThanOrEqual(64);
  await expect(startProduct({}, { dataDir })).rejects.toThrow(dataDir);
});

it("logs no request with LOG_REQUESTS=off, but everything else", async () => {
  const site = await openSite({ LOG_REQUESTS: "off" });
  await new Visitor(site.url).signIn({ ...testAdmin, password: "not the password" });
  await site.stop();
  expect(site.output()).toContain('"event":"sign-in.attempt"');
  expect(site.output()).not.toContain('"event":"request"');
});

it("logs a line of a library as an event", async () => {
  const library = encodeURIComponent("setInterval(() => console.warn('words of a visitor'), 300)");
  const site = await startProduct({ NODE_OPTIONS: `--import=data:text/javascript,${library}` });
  await expect.poll(site.output).toContain('"event":"library.console","method":"warn"');
  await site.stop();
});

it("serves forms, sign-in and headers under stock remix-serve", async () => {
  const product = await startProduct({}, { server: "plain" });
  const visitor = new Visitor(product.url);
  // This server listens before its database is open, and a busy machine may take longer than a form waits.
  const link = `/data-rights/status?token=${"x".repeat(64)}`;
  await expect.poll(async () => (await visitor.get(link)).status).not.toBe(503);
  const sent = await visitor.postAndFollow("/contact", filledContactForm);
  expect(readText(sent.html)).toContain("Message Sent!");
  expect(sent.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  await visitor.signIn();
  expect(readText((await visitor.get("/admin")).html)).toContain(filledContactForm.name);
  await product.kill();
});

describe("a failing start", () => {
  it("names every invalid setting at once without values", async () => {
    const wrong = { PORT: "80a80", SESSION_SECRET: "secret-short", SUPABASE_PUBLISHABLE_KEY: "secret-key" };
    const failure = await startProduct(wrong, { dataDir: await makeDataDir() }).catch((error: Error) => error.message);
    for (const mistake of ["- PORT ", "- SESSION_SECRET ", "SUPABASE_URL is missing"])
      expect(failure).toContain(mistake);
    expect(failure).not.toMatch(/secret-|80a80/);
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
  const heavy = /^(?:@electric-sql\/pglite|nodemailer|pg|prom-client|tar)(?:\/|$)/;
  expect(loaded.packages.filter((name) => heavy.test(name))).toEqual([]);
});

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
