import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { filledDataRightsForm } from "../support/data-rights";
import { findFreePort } from "../support/free-port";
import { shortLived } from "../support/short-lived";
import { shareSite } from "../support/shared-site";
import { Visitor, filledContactForm, leadsTo, readText } from "../support/visitor";

const folders = ["app", "bin", "public", "scripts", "supabase"];
const files = ["package.json", "remix.config.js", "tsconfig.json", "vite.config.ts"];

let folder: string;
let url: string;
let printed = "";
let stop: () => Promise<void>;

/** Runs bin/dev.mjs in the copy. */
function run(words: string[], settings: Record<string, string>) {
  return spawn(process.execPath, [...shortLived, "bin/dev.mjs", ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, ...settings } as never,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

beforeAll(async () => {
  // A copy, because the test edits it; with nothing but the sources, as after a fresh clone.
  folder = await mkdtemp(join(tmpdir(), "development-"));
  await Promise.all([...folders, ...files].map((name) => cp(name, join(folder, name), { recursive: true })));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  const child = run([], { PORT: String(port) });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  stop = async () => {
    if (child.exitCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    // A child of the server, such as its compiler, can live on for a moment and still write.
    await rm(folder, { recursive: true, force: true, maxRetries: 8, retryDelay: 110 });
  };
  await vi.waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`npm run dev exited:\n${printed}`);
      if (!printed.includes("Mails:")) throw new Error(`npm run dev is not ready:\n${printed}`);
    },
    { timeout: 110_000, interval: 250 },
  );
});
afterAll(() => stop());

/** Reads the policy without hashes of scripts and styles, which differ between the builds, and without Vite's origin. */
const readPolicy = ({ headers }: Response) =>
  headers
    .get("content-security-policy")
    ?.replace(" ws://localhost:24678", "")
    .replace(/ 'sha256-[^']+'/g, "");

/** Edits a file of the copy. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const path = join(folder, file);
  const content = await readFile(path, "utf8");
  expect(content).toContain(from);
  await writeFile(path, content.replace(from, to));
}

/** Waits until a page has these words. @returns its source */
const waitFor = (path: string, words: string) =>
  vi.waitFor(
    async () => {
      const { html } = await new Visitor(url).get(path);
      expect(readText(html)).toContain(words);
      return html;
    },
    { timeout: 60_000, interval: 250 },
  );

describe("npm run dev in an empty folder", () => {
  it("prints a working password", async () => {
    const [, email = "", password = ""] = /Admin:\s+(\S+), password (\S+),/.exec(printed) ?? [];
    const admin = new Visitor(url);
    expect(leadsTo(await admin.signIn({ email, password }))).toBe("/admin");
    expect(readText((await admin.get("/admin")).html)).toContain("Admin Dashboard");
  });

  it.each(["/", "/contact", "/no-such-page"])("serves %s with production's headers", async (path) => {
    const [ours, theirs] = [await fetch(url + path), await fetch((await shareSite()).url + path)];
    expect(ours.status).toBe(theirs.status);
    for (const name of ["x-frame-options", "x-content-type-options", "referrer-policy", "permissions-policy"])
      expect(ours.headers.get(name)).toBe(theirs.headers.get(name));
    expect(readPolicy(ours)).toBe(readPolicy(theirs));
  });

  it("shows its emails with working links", async () => {
    const visitor = new Visitor(url);
    await visitor.post("/data-rights", filledDataRightsForm);
    const mails = await waitFor("/dev/mail", filledDataRightsForm.email);
    const addresses = [...mails.matchAll(/href="(\/dev\/mail\/[^"]+)"/g)].map(([, address = ""]) => address);
    const pages = await Promise.all(addresses.map(async (address) => (await visitor.get(address)).html));
    const [, link = ""] = /href="([^"]+\/data-rights\/confirm\?token=[^"]+)"/.exec(pages.join("")) ?? [];
    expect(link.startsWith(url)).toBe(true);
    expect((await fetch(link.replaceAll("&amp;", "&"))).status).toBe(200);
  });

  it("shows an edit of a page and of a function without a restart", async () => {
    await edit("app/content/pages/about.ts", 'title: "Why we exist"', 'title: "Why the edit exists"');
    const mail = "supabase/functions/_shared/mails/contact-mail.ts";
    await edit(mail, "isFull ? `Message from", "isFull ? `An edited message from");
    await waitFor("/about", "Why the edit exists");
    expect((await new Visitor(url).post("/contact", filledContactForm)).status).toBe(303);
    await waitFor("/dev/mail", "An edited message from");
  });

  it("seeds another folder with examples, and not its own", async () => {
    const [fresh, held] = [run(["seed"], { DATA_DIR: "seeded" }), run(["seed"], {})];
    const said = await Promise.all([text(fresh.stdout), text(held.stderr)]);
    expect(said).toEqual([
      expect.stringContaining("are now in seeded."),
      expect.stringContaining("Stop `npm run dev`"),
    ]);
  });
});
