import { mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Site, startSite } from "../functions/support/site.ts";
import { type Product, makeDataDir, startProduct } from "../support/product";
import { Visitor, filledContactForm, readText } from "../support/visitor";
import { type Answering, type StubProject, answerJson, hang, startStubProject } from "./support/stub-project";

let site: Site;
let project: StubProject;
let dataDir: string;
let product: Product;

const away = answerJson(503, { message: "away" });

/** The product's own functions on a real database, behind the address of a hosted project. */
const working: Answering = async (call, response) => {
  const headers = new Headers(call.headers as Record<string, string>);
  for (const name of ["host", "connection", "content-length"]) headers.delete(name);
  const answer = await site.embedded.fetch(site.embedded.url + call.path, {
    method: call.method,
    headers,
    body: call.body,
  });
  response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "text/plain" });
  response.end(Buffer.from(await answer.arrayBuffer()));
};

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.close());
beforeEach(async () => {
  project = await startStubProject(away);
  dataDir = await makeDataDir();
  await start();
});
afterEach(async () => {
  await product.stop();
  project.close();
});

async function start() {
  product = await startProduct({ ...project.settings, CONTACT_SPOOL: "1" }, { dataDir });
}
const folder = () => join(dataDir, "contact-spool");
const listFolder = () => readdir(folder()).catch(() => [] as string[]);
const send = (name: string, changes: Record<string, string> = {}) =>
  new Visitor(product.url).post("/contact", { ...filledContactForm, name, ...changes });
async function countStored(prefix: string): Promise<Map<string, number>> {
  const found = site.service.from("contact_submissions").select("name").like("name", `${prefix}%`);
  const counts = new Map<string, number>();
  for (const { name } of (await found.throwOnError()).data) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
const patient = { timeout: 45_000, interval: 250 };

describe("a message while the backend is away", () => {
  it("is accepted once it is on the disk, sealed; and delivered when the backend is back", async () => {
    const next = await new Visitor(product.url).postAndFollow("/contact", { ...filledContactForm, name: "Spool One" });
    expect(readText(next.html)).toContain("Message Sent!");
    const [name, ...others] = await listFolder();
    expect(others).toEqual([]);
    const path = join(folder(), name ?? "");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path)).includes("nine clinics")).toBe(false);
    expect(product.output()).not.toContain("Spool One");

    project.become(working);
    await expect.poll(listFolder, patient).toEqual([]);
    expect(await countStored("Spool One")).toEqual(new Map([["Spool One", 1]]));
    await expect.poll(() => product.output(), patient).toContain("contact.spool-delivered");
  });

  it("waits for nothing that is wrong with it: mistakes are named as ever", async () => {
    expect((await send("")).status).toBe(400);
    expect(await listFolder()).toEqual([]);
  });

  it("is refused, with every word kept, when there is no room", async () => {
    await mkdir(folder(), { recursive: true });
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => writeFile(join(folder(), `x${i}.sealed`), "")));
    const { status, html } = await send("Spool Full");
    expect(status).toBe(503);
    expect(html).toContain("Can we talk?</textarea>");
    expect(product.output()).toContain("SpoolFull");
  });

  it("is not held up by one that somebody has tampered with; that one stays and is told of", async () => {
    await send("Spool Tampered");
    const [tampered = ""] = await listFolder();
    const sealed = await readFile(join(folder(), tampered));
    sealed[40] = (sealed[40] ?? 0) ^ 1;
    await writeFile(join(folder(), tampered), sealed);
    await send("Spool Untouched");
    project.become(working);
    await expect.poll(listFolder, patient).toEqual([tampered]);
    expect(await countStored("Spool T")).toEqual(new Map());
    expect(await countStored("Spool U")).toEqual(new Map([["Spool Untouched", 1]]));
    const told = '"event":"contact.spool-set-aside","unreadable":1,"refused":0';
    await expect.poll(() => product.output(), patient).toContain(told);
  });
});

it("stays, and holds nothing up, when the function itself says that it is wrong; a later version may take it", async () => {
  await send("Spool Refused");
  project.become(answerJson(400, { error: "invalid", fields: {} }));
  const told = '"event":"contact.spool-set-aside","unreadable":0,"refused":1';
  await expect.poll(() => product.output(), patient).toContain(told);
  expect(await listFolder()).toHaveLength(1);
  await product.stop();
  project.become(working);
  await start();
  await expect.poll(listFolder, patient).toEqual([]);
  expect(await countStored("Spool R")).toEqual(new Map([["Spool Refused", 1]]));
});

describe("a process that is killed", () => {
  it("leaves every message that it accepted to the next one, which delivers each once", async () => {
    const accepted: string[] = [];
    let next = 0;
    const sender = async () => {
      while (next < 60) {
        const name = `Stream ${next++}`;
        const answer = await send(name).catch(() => null);
        if (answer === null) return;
        expect(answer.status).toBe(303);
        accepted.push(name);
        if (accepted.length === 30) await product.kill();
      }
    };
    await Promise.all([sender(), sender(), sender()]);
    expect(accepted.length).toBeGreaterThanOrEqual(30);
    await start();
    project.become(working);
    await expect.poll(async () => (await listFolder()).filter((name) => name.endsWith(".sealed")), patient).toEqual([]);
    const stored = await countStored("Stream");
    for (const name of accepted) expect(stored.get(name), name).toBe(1);
    for (const count of stored.values()) expect(count).toBe(1);
  });

  it("in the middle of a delivery delivers it again, and it is stored once, even days later", async () => {
    await send("Spool Twice");
    let isKilled: Promise<void> | undefined;
    // The function has stored it; the server never hears of that.
    project.become(async (call, response, request) => {
      if (!call.path.startsWith("/functions/") || isKilled) return away(call, response, request);
      const headers = { "Content-Type": "application/json", "x-delivery-key": String(call.headers["x-delivery-key"]) };
      await site.call("send-contact-email", call.body, { headers });
      isKilled = product.kill();
    });
    await expect.poll(() => isKilled !== undefined, patient).toBe(true);
    await isKilled;
    expect(await countStored("Spool Twice")).toEqual(new Map([["Spool Twice", 1]]));
    expect(await listFolder()).toHaveLength(1);
    // The receipt of the same words is kept for a day.
    await site.sql("delete from private.contact_receipts");
    project.become(working);
    await start();
    await expect.poll(listFolder, patient).toEqual([]);
    expect(await countStored("Spool Twice")).toEqual(new Map([["Spool Twice", 1]]));
  });
});

it("stores a message once whose first delivery got through without an answer", async () => {
  project.become(async (call, response, request) => {
    if (call.path.startsWith("/functions/")) {
      const headers = { "Content-Type": "application/json", "x-delivery-key": String(call.headers["x-delivery-key"]) };
      await site.call("send-contact-email", call.body, { headers });
    }
    hang(call, response, request);
  });
  expect((await send("Spool Silent")).status).toBe(303);
  expect(await listFolder()).toHaveLength(1);
  await site.sql("delete from private.contact_receipts");
  project.become(working);
  await expect.poll(listFolder, patient).toEqual([]);
  expect(await countStored("Spool Silent")).toEqual(new Map([["Spool Silent", 1]]));
});

it("refuses to start where it could keep nothing, and says which setting", async () => {
  const file = join(dataDir, "a-file");
  await writeFile(file, "");
  await expect(startProduct({ ...project.settings, CONTACT_SPOOL: "1" }, { dataDir: file })).rejects.toThrow(
    /DATA_DIR must be a folder/,
  );
});
