import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { type Product, startProduct } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { visit } from "./newcomers";
import { expectBystandersServed } from "./watch-site";

const host = "firm.example";

/** The site renders all but the second for each request. */
const rendered = ["/?cookie-preferences=open&x=1", "/nothing/here", `/data-rights/status?token=${"A".repeat(43)}`];

let product: Product | undefined;
afterEach(() => product?.stop());

it.each([
  {
    name: "200 clients request rendered pages",
    crowd: { clients: 200, paths: rendered, isOneNetwork: false },
    limit: "20",
    forms: 1,
    statuses: ["200", "404", "503"],
  },
  {
    name: "150 clients of one IPv6 /48 post",
    // Without paths, each client posts an invalid form.
    crowd: { clients: 150, paths: [], isOneNetwork: true },
    // A high limit keeps posts in the queue.
    limit: "100000",
    forms: 20,
    statuses: ["400", "503"],
  },
  {
    name: "150 clients in as many networks post above their limits",
    crowd: { clients: 150, paths: [], isOneNetwork: false },
    limit: "1",
    forms: 4,
    statuses: ["400", "429", "503"],
  },
])("serves pages and accepts forms of others while $name", async ({ crowd, limit, forms, statuses }) => {
  const settings = { SITE_URL: `http://${host}`, TRUSTED_PROXIES: "1", POST_RATE_LIMIT: limit };
  const site = (product = await startProduct(settings, { timeouts: "production" }));
  // A new process is slow at first.
  await sendForms(site.url, 0, forms);
  const taken: unknown[] = [];
  const ofCrowd = await expectBystandersServed(site, async () => {
    const words = ["tests/abuse/crowd.mjs", JSON.stringify({ origin: site.url, host, ...crowd })];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    for (const round of [1, 2, 3, 4, 5]) {
      await wait(1_000);
      taken.push(...(await sendForms(site.url, round, forms)));
    }
    child.kill("SIGTERM");
    return JSON.parse(await text(child.stdout)) as Record<string, number>;
  });
  const seen = JSON.stringify({ taken, ofCrowd });
  // A form may find the queue full, three of a hundred at most.
  expect(taken.filter((status) => status !== 303).length, seen).toBeLessThanOrEqual(taken.length * 0.03);
  expect(Object.keys(ofCrowd).toSorted(), seen).toEqual(statuses);
  // More requests arrived than there are slots.
  expect(ofCrowd["503"], seen).toBeGreaterThan(10);
});

/** Sends forms at once, each from another network. */
const sendForms = (origin: string, round: number, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, number) => {
      const client = `192.0.${round * count + number}.1`;
      const headers = { Host: host, Origin: `http://${host}`, "X-Forwarded-For": client };
      return visit({ origin, headers }, "/contact", { ...filledContactForm, message: `From ${client}` });
    }),
  );
