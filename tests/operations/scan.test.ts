import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { type RequestListener, type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { strToU8, zipSync } from "fflate";
import { afterEach, describe, expect, it } from "vitest";
import { readAccepted } from "../../scripts/scan/accepted.mjs";
import { runScan } from "../../scripts/scan/run-scan.mjs";
import { runHere } from "../support/commands/run-here";

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString();

/** As OSV gives them: one of a package that is installed, one that came to nothing, one of another ecosystem. */
const range = (introduced: string, fixed: string) => [{ type: "SEMVER", events: [{ introduced }, { fixed }] }];
const planted = {
  id: "GHSA-test-test-test",
  modified: inDays(-1),
  aliases: ["CVE-2026-99999"],
  summary: "Slow for long names",
  affected: [{ package: { ecosystem: "npm", name: "@scope/weak" }, ranges: range("1.0.0", "1.2.4") }],
};
const withdrawn = { ...planted, id: "GHSA-gone-gone-gone", withdrawn: inDays(-1) };
const elsewhere = {
  ...planted,
  id: "GHSA-else-else-else",
  affected: [{ package: { ecosystem: "PyPI", name: "@scope/weak" }, ranges: range("0", "9.0.0") }],
};
const advisories = [planted, withdrawn, elsewhere];

const packages = (weak: string) => [
  { name: "sound", version: "3.0.0", purl: "pkg:npm/sound@3.0.0" },
  { group: "@scope", name: "weak", version: weak, purl: `pkg:npm/%40scope/weak@${weak}` },
  { name: "empty-package", version: "1.2.3", purl: "pkg:npm/empty-package@1.2.3" },
];

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers as OSV does: ids only, of each package as many pages as it has, and each advisory by its id. */
const osv: RequestListener = async (request, response) => {
  const answer = (body: unknown) => response.writeHead(body ? 200 : 404).end(JSON.stringify(body ?? {}));
  const id = /^\/v1\/vulns\/(.+)$/.exec(request.url ?? "")?.[1];
  if (id) return void answer(advisories.find((advisory) => advisory.id === id));
  if (request.url !== "/v1/querybatch") return void answer(undefined);
  const { queries } = (await json(request)) as { queries: { package: { purl: string }; page_token?: string }[] };
  const results = queries.map(({ package: { purl }, page_token: page }) => {
    if (!purl.startsWith("pkg:npm/%40scope/weak@1.2.3")) return {};
    if (!page) return { vulns: [{ id: withdrawn.id, modified: withdrawn.modified }], next_page_token: "second" };
    return { vulns: [{ id: planted.id, modified: planted.modified }] };
  });
  answer({ results });
};

interface Scan {
  bill?: unknown;
  accepted?: string;
  database?: string;
  url?: string;
}

/** @returns the words of the command line */
async function writeWords({ bill, accepted = "[]", database }: Scan): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "scan-"));
  const [billFile, acceptedFile] = [join(folder, "bill.json"), join(folder, "accepted.yaml")];
  await writeFile(billFile, JSON.stringify({ bomFormat: "CycloneDX", components: bill ?? packages("1.2.3") }));
  await writeFile(acceptedFile, accepted);
  return ["--bill", billFile, "--accepted", acceptedFile, ...(database ? ["--database", database] : [])];
}

async function scan(given: Scan) {
  const words = await writeWords(given);
  const { code, said } = await runHere(() => runScan(words, given.url));
  return { code, printed: said };
}

/** Runs the command as an operator does. */
async function scanAsOperator(given: Scan) {
  const words = ["scripts/scan.mjs", ...(await writeWords(given))];
  const child = execFile(process.execPath, words, { env: { ...process.env, OSV_URL: given.url } });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (printed += String(chunk)));
  const [code] = (await once(child, "close")) as [number];
  return { code, printed };
}

const exception = (until: string) =>
  `- {id: CVE-2026-99999, package: "@scope/weak", until: ${until.slice(0, 10)}, reason: Only our own names go there.}`;

describe("the scan, asking OSV", () => {
  it("finds nothing in sound packages", async () => {
    expect(await scan({ url: await serve(osv), bill: packages("1.2.4") })).toMatchObject({ code: 0 });
  });

  it("finds the advisory of a package that is installed, on a later page of the answer, too", async () => {
    for (const look of [scan, scanAsOperator]) {
      const { code, printed } = await look({ url: await serve(osv) });
      expect(code).toBe(1);
      expect(printed).toContain(
        "@scope/weak 1.2.3: Slow for long names (GHSA-test-test-test, CVE-2026-99999); fixed in 1.2.4",
      );
      expect(printed).not.toContain(withdrawn.id);
    }
  });

  it("leaves one alone that was accepted, under either name, until its last day, and fails from then on", async () => {
    const url = await serve(osv);
    const accepted = await scan({ url, accepted: exception(inDays(0)) });
    expect(accepted).toMatchObject({ code: 0, printed: expect.stringContaining("accepted until") });
    const expired = await scan({ url, accepted: exception(inDays(-1)) });
    expect(expired).toMatchObject({ code: 1, printed: expect.stringContaining("GHSA-test-test-test") });
    expect(expired.printed).toContain("The exception for CVE-2026-99999");
    // Nor may it stay behind when its advisory is gone.
    expect((await scan({ url, bill: packages("1.2.4"), accepted: exception(inDays(-1)) })).code).toBe(1);
    const other = exception(inDays(9)).replace("@scope/weak", "sound");
    expect((await scan({ url, accepted: other })).code).toBe(1);
  });

  it("is never content when it could not look", async () => {
    const answers: RequestListener[] = [
      (_request, response) => response.writeHead(503).end(),
      (_request, response) => response.end("<h1>Welcome to this network</h1>"),
      (_request, response) => response.end("{}"),
      (_request, response) => response.end('{"results":[]}'),
      (request) => request.socket.destroy(),
      (request, response) => (request.url?.includes("vulns") ? response.writeHead(500).end() : osv(request, response)),
    ];
    for (const [index, listener] of answers.entries()) {
      const { code, printed } = await scan({ url: await serve(listener) });
      expect([index, code, printed]).toEqual([index, 3, expect.stringMatching(/^Not checked: /)]);
    }
    expect((await scan({ url: "http://127.0.0.1:1" })).code).toBe(3);
    expect((await scan({ url: await serve(osv), bill: [] })).code).toBe(3);
    expect((await scan({ url: await serve(osv), accepted: exception(inDays(9)).replace(/reason.*}/, "}") })).code).toBe(
      3,
    );
  });
});

describe("the scan, with a copy of the database", () => {
  it("finds the same in its folder and in its zip, without a network", async () => {
    const { folder, zip } = await writeCopy(advisories);
    for (const database of [folder, zip]) {
      const found = await scan({ database, url: "http://127.0.0.1:1" });
      expect(found).toMatchObject({ code: 1, printed: expect.stringContaining("GHSA-test-test-test") });
      expect(found.printed).not.toMatch(/gone|else/);
      expect((await scan({ database, bill: packages("1.2.4") })).code).toBe(0);
    }
  });

  it("is not content with one that is empty, old, or not there", async () => {
    const empty = await writeCopy([]);
    const old = await writeCopy([{ ...planted, modified: inDays(-9) }]);
    for (const database of [empty.folder, empty.zip, old.folder, old.zip, "/no/such/copy"])
      expect([database, (await scan({ database, bill: packages("1.2.4") })).code]).toEqual([database, 3]);
  });
});

async function writeCopy(entries: (typeof planted)[]): Promise<{ folder: string; zip: string }> {
  const folder = await mkdtemp(join(tmpdir(), "osv-"));
  for (const entry of entries) await writeFile(join(folder, `${entry.id}.json`), JSON.stringify(entry));
  const zip = join(await mkdtemp(join(tmpdir(), "osv-")), "all.zip");
  await writeFile(
    zip,
    zipSync(Object.fromEntries(entries.map((entry) => [`${entry.id}.json`, strToU8(JSON.stringify(entry))]))),
  );
  return { folder, zip };
}

it("reads the exceptions of this repository", () => {
  expect(readAccepted("docs/accepted-advisories.yaml").length).toBeGreaterThan(0);
});
