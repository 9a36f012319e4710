import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findFreePort } from "../support/free-port";
import { type Product, makeDataDir, startProduct } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { type Front, requestFront, followFront } from "./support/front";
import {
  hasCaddy,
  hasNginx,
  startCaddy,
  startNginx,
  startRepositoryCaddy,
  stopProgram,
} from "./support/proxy-programs";

const own = "https://firm.example";
const names = ["firm.example", "www.firm.example"];
const polling = { timeout: 60_000, interval: 100 };
const settings = [0, 1, 2];
const sites: Product[] = [];

if (hasCaddy || hasNginx) {
  beforeAll(async () => {
    for (const proxies of settings) sites.push(await startProduct({ SITE_URL: own, TRUSTED_PROXIES: String(proxies) }));
  });
  afterAll(async () => {
    for (const site of sites) await site.stop();
  });
}

const upstream = (site: number) => `127.0.0.1:${new URL(sites[site]?.url ?? "").port}`;
const newFront = async (): Promise<Front> => ({ http: await findFreePort(), https: await findFreePort() });
const newFronts = () => Promise.all(settings.map(newFront));

/**
 * Returns the names of the proxy warnings that the site with this number of trusted proxies has logged since its start.
 */
function warningsOf(site: number): string[] {
  return (
    [...(sites[site]?.output().matchAll(/"event":"(setup\.[\w-]+)"/g) ?? [])]
      .map(([, event = ""]) => event)
      // These sites store their emails as files.
      .filter((event) => event !== "setup.no-mail-server")
  );
}

/**
 * Opens every address through a proxy, and fails if one redirects in a loop. Returns the origins that each address
 * redirects to.
 */
async function tryEveryAddress(front: Front) {
  const redirects: Record<string, string[]> = {};
  for (const scheme of ["http", "https"])
    for (const name of names)
      for (const path of ["/about?a=b", "/favicon.svg"]) {
        const address = `${scheme}://${name}${path}`;
        // Like curl, and like a browser, which sends more headers over https.
        const visited = await followFront(front, address);
        redirects[address] = visited.slice(1);
        const asBrowser =
          scheme === "https" ? await followFront(front, address, { "Sec-Fetch-Site": "none" }) : visited;
        expect(asBrowser).toEqual(visited);
      }
  const originsFrom = (address: string) => redirects[`${address}/about?a=b`]?.map((next) => new URL(next).origin);
  return {
    http: originsFrom("http://firm.example"),
    https: originsFrom(own),
    httpWww: originsFrom("http://www.firm.example"),
    www: originsFrom("https://www.firm.example"),
  };
}

/** Sends enough consecutive requests for the site to warn. */
async function visit(front: Front, headers: Record<string, string> = {}, times = 12): Promise<void> {
  for (let i = 0; i < times; i++) await requestFront(front, `${own}/about`, headers);
}

/**
 * Posts as three visitors behind a CDN, through compose's Caddy, to a site that allows two posts per client. Returns
 * the statuses, and true if the site warned.
 */
async function postThroughCdn(trusted: string): Promise<[number[], boolean]> {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const site = await startProduct({ SITE_URL: origin, TRUSTED_PROXIES: "2", POST_RATE_LIMIT: "2" });
  const before = await startRepositoryCaddy(await makeDataDir(), {
    SITE_URL: origin,
    UPSTREAM: new URL(site.url).host,
    CADDY_TRUSTED_PROXIES: trusted,
  });
  const front = { http: port, https: 0 };
  await vi.waitFor(() => requestFront(front, `${origin}/healthz`), polling);
  const send = async (i: number) => {
    const fromCdn = { Origin: origin, "X-Forwarded-For": `203.0.113.${i}`, "CF-Connecting-IP": `203.0.113.${i}` };
    return (await requestFront(front, `${origin}/contact`, fromCdn, filledContactForm)).status;
  };
  const statuses = [await send(1), await send(2), await send(3)];
  for (let i = 0; i < 12; i++) await send(i);
  await stopProgram(before);
  await site.stop();
  return [statuses, site.output().includes("setup.cdn-not-counted")];
}

describe.skipIf(!hasCaddy)("Caddy as in its documentation (skipped without Caddy)", () => {
  let fronts: Front[];
  let caddy: ChildProcess;

  beforeAll(async () => {
    fronts = await newFronts();
    const blocks = fronts.flatMap(({ http, https }, site) =>
      [`http://:${http}`, names.map((name) => `https://${name}:${https}`).join(", ")].map(
        (addresses) => `${addresses} {\n\treverse_proxy ${upstream(site)}\n}\n`,
      ),
    );
    const options = "{\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n\tauto_https disable_redirects\n}\n";
    caddy = await startCaddy(await makeDataDir(), options + blocks.join(""));
    for (const front of fronts) await vi.waitFor(() => requestFront(front, `${own}/healthz`), polling);
  });
  afterAll(() => stopProgram(caddy));

  it.each([
    [0, { http: [], https: [], httpWww: [own], www: [own] }],
    [1, { http: [own], https: [], httpWww: [own], www: [own] }],
    [2, { http: [own], https: [], httpWww: [own], www: [own] }],
  ])("causes no redirect loop with TRUSTED_PROXIES=%d", async (site, origins) => {
    expect(await tryEveryAddress(fronts[site] as Front)).toEqual(origins);
  });

  it("causes one warning when the setting does not match", async () => {
    for (const front of fronts) await visit(front, { "X-Forwarded-For": "6.6.6.6" }, 25);
    expect(settings.map(warningsOf)).toEqual([["setup.forwarded-for-ignored"], [], ["setup.fewer-proxies"]]);
  });

  it("passes on a CDN's client addresses if CADDY_TRUSTED_PROXIES names it", async () => {
    expect(await postThroughCdn("10.0.0.0/8 127.0.0.0/8")).toEqual([[303, 303, 303], false]);
    expect(await postThroughCdn("")).toEqual([[303, 303, 429], true]);
  });
});

describe.skipIf(!hasNginx)("nginx as in its packages (skipped without nginx and OpenSSL)", () => {
  /** `proxy_pass` alone; with the lines of Debian's proxy_params; and two of the latter in a chain. */
  const kinds = { bare: [] as Front[], params: [] as Front[], chain: [] as Front[] };
  let nginx: ChildProcess;

  beforeAll(async () => {
    const folder = await makeDataDir();
    for (const fronts of Object.values(kinds)) fronts.push(...(await newFronts()));
    const server = ({ http, https }: Front, lines: string) =>
      `server { listen 127.0.0.1:${http}; listen 127.0.0.1:${https} ssl; server_name ${names.join(" ")};
        ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem; location / { ${lines} } }\n`;
    const paramLines =
      "proxy_set_header Host $http_host; proxy_set_header X-Real-IP $remote_addr; " +
      "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Proto $scheme;";
    const servers = settings.flatMap((site) => {
      const [bare, params, chain] = [kinds.bare, kinds.params, kinds.chain].map((fronts) => fronts[site] as Front);
      const toSite = `proxy_pass http://${upstream(site)};`;
      return [
        server(bare as Front, toSite),
        server(params as Front, paramLines + toSite),
        server(chain as Front, `${paramLines} proxy_pass http://127.0.0.1:${params?.http};`),
      ];
    });
    nginx = await startNginx(folder, names, servers.join(""));
    for (const front of Object.values(kinds).flat())
      await vi.waitFor(() => requestFront(front, `${own}/healthz`), polling);
  });
  afterAll(() => stopProgram(nginx));

  it("causes warnings only when the setting does not match", async () => {
    expect(warningsOf(1)).toEqual([]);
    // Matching requests, a visitor's forged headers among others, and checks on the machine itself.
    await visit(kinds.params[1] as Front, {}, 25);
    for (let i = 0; i < 25; i++) {
      await visit(kinds.params[1] as Front, { "X-Forwarded-For": `6.6.6.${i}` }, 3);
      await visit(kinds.params[1] as Front, {}, 1);
    }
    const direct = { http: Number(new URL(sites[1]?.url ?? "").port), https: 0 };
    for (let i = 0; i < 25; i++)
      for (const host of ["127.0.0.1:3000", "firm.example"])
        expect((await requestFront(direct, `http://${host}/`)).status).toBe(200);
    await visit(kinds.chain[2] as Front, {}, 25);
    expect(warningsOf(1)).toEqual([]);

    await visit(kinds.chain[1] as Front);
    expect(warningsOf(1)).toEqual(["setup.more-proxies"]);
    await visit(kinds.bare[1] as Front, { Referer: `${own}/` });
    expect(warningsOf(1)).toEqual(["setup.more-proxies", "setup.fewer-proxies"]);
    await visit(kinds.params[2] as Front);
    expect(warningsOf(2)).toEqual(["setup.fewer-proxies"]);
    expect(warningsOf(0)).toEqual(["setup.forwarded-for-ignored"]);
  });

  // With `proxy_pass` alone, the site learns neither name nor scheme. In a chain, it learns the scheme between the two
  // proxies.
  const unknown = { http: [], https: [], httpWww: [], www: [] };
  const served = { http: [], https: [], httpWww: [own], www: [own] };
  it.each([
    ["bare", 0, unknown],
    ["bare", 1, unknown],
    ["bare", 2, unknown],
    ["params", 0, served],
    ["params", 1, { ...served, http: [own] }],
    ["params", 2, { ...served, http: [own] }],
    ["chain", 0, served],
    ["chain", 1, served],
    ["chain", 2, served],
  ] as const)("(%s) causes no redirect loop with TRUSTED_PROXIES=%d", async (kind, site, origins) => {
    expect(await tryEveryAddress(kinds[kind][site] as Front)).toEqual(origins);
  });

  it("causes no redirect loop behind Cloudflare's https", async () => {
    // Plain http between Cloudflare and nginx, https for the visitor: nginx passes its own scheme on.
    const cloudflare = { "CF-Ray": "x", "CF-Visitor": '{"scheme":"https"}', "X-Forwarded-Proto": "https" };
    for (const front of kinds.params)
      expect((await requestFront(front, "http://firm.example/about", cloudflare)).status).toBe(200);
  });
});
