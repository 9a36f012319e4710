import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findFreePort } from "../support/free-port";
import { type Product, makeDataDir, startProduct } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { type Front, askFront, followFront } from "./support/front";
import {
  hasCaddy,
  hasNginx,
  startCaddy,
  startNginx,
  startRepositoryCaddy,
  stopProgram,
  takesOurCaddyfile,
} from "./support/proxy-programs";

const own = "https://firm.example";
const names = ["firm.example", "www.firm.example"];
const patience = { timeout: 60_000, interval: 100 };
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

/** Events about proxies that the site with so many trusted ones has warned of since it started. */
function warningsOf(site: number): string[] {
  return (
    [...(sites[site]?.output().matchAll(/"event":"(setup\.[\w-]+)"/g) ?? [])]
      .map(([, event = ""]) => event)
      // These sites keep their mails as files.
      .filter((event) => event !== "setup.no-mail-server")
  );
}

/** Opens every address through a proxy: none may lead to itself. Returns the origins that each one leads to. */
async function tryEveryAddress(front: Front) {
  const ways: Record<string, string[]> = {};
  for (const scheme of ["http", "https"])
    for (const name of names)
      for (const path of ["/about?a=b", "/favicon.svg"]) {
        const address = `${scheme}://${name}${path}`;
        // As curl, and as a browser, which says more over https.
        const way = await followFront(front, address);
        ways[address] = way.slice(1);
        const asBrowser = scheme === "https" ? await followFront(front, address, { "Sec-Fetch-Site": "none" }) : way;
        expect(asBrowser).toEqual(way);
      }
  const led = (address: string) => ways[`${address}/about?a=b`]?.map((next) => new URL(next).origin);
  return {
    http: led("http://firm.example"),
    https: led(own),
    httpWww: led("http://www.firm.example"),
    www: led("https://www.firm.example"),
  };
}

/** Comes as often as it takes to be noticed, in a row. */
async function visit(front: Front, headers: Record<string, string> = {}, times = 12): Promise<void> {
  for (let i = 0; i < times; i++) await askFront(front, `${own}/about`, headers);
}

/** Posts as three visitors behind a CDN, through compose's Caddy, to a site that allows two posts a client; tells if the site warned. */
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
  await vi.waitFor(() => askFront(front, `${origin}/healthz`), patience);
  const send = async (i: number) => {
    const fromCdn = { Origin: origin, "X-Forwarded-For": `203.0.113.${i}`, "CF-Connecting-IP": `203.0.113.${i}` };
    return (await askFront(front, `${origin}/contact`, fromCdn, filledContactForm)).status;
  };
  const statuses = [await send(1), await send(2), await send(3)];
  for (let i = 0; i < 12; i++) await send(i);
  await stopProgram(before);
  await site.stop();
  return [statuses, site.output().includes("setup.cdn-not-counted")];
}

describe.skipIf(!hasCaddy)("Caddy as its documentation writes it (skipped without Caddy)", () => {
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
    for (const front of fronts) await vi.waitFor(() => askFront(front, `${own}/healthz`), patience);
  });
  afterAll(() => stopProgram(caddy));

  it.each([
    [0, { http: [], https: [], httpWww: [own], www: [own] }],
    [1, { http: [own], https: [], httpWww: [own], www: [own] }],
    [2, { http: [own], https: [], httpWww: [own], www: [own] }],
  ])("with TRUSTED_PROXIES=%d leads nobody in circles", async (site, led) => {
    expect(await tryEveryAddress(fronts[site] as Front)).toEqual(led);
  });

  it("is warned of where it does not fit, once", async () => {
    for (const front of fronts) await visit(front, { "X-Forwarded-For": "6.6.6.6" }, 25);
    expect(settings.map(warningsOf)).toEqual([["setup.forwarded-for-ignored"], [], ["setup.fewer-proxies"]]);
  });

  it.skipIf(!takesOurCaddyfile)(
    "passes on what a CDN says of visitors, if CADDY_TRUSTED_PROXIES names it (skipped without Caddy 2.10 or later)",
    async () => {
      expect(await postThroughCdn("10.0.0.0/8 127.0.0.0/8")).toEqual([[303, 303, 303], false]);
      expect(await postThroughCdn("")).toEqual([[303, 303, 429], true]);
    },
  );
});

describe.skipIf(!hasNginx)("nginx as its packages write it (skipped without nginx and OpenSSL)", () => {
  /** By `proxy_pass` alone; with the lines of Debian's proxy_params; and two of these, one behind the other. */
  const kinds = { bare: [] as Front[], told: [] as Front[], chain: [] as Front[] };
  let nginx: ChildProcess;

  beforeAll(async () => {
    const folder = await makeDataDir();
    for (const fronts of Object.values(kinds)) fronts.push(...(await newFronts()));
    const server = ({ http, https }: Front, lines: string) =>
      `server { listen 127.0.0.1:${http}; listen 127.0.0.1:${https} ssl; server_name ${names.join(" ")};
        ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem; location / { ${lines} } }\n`;
    const params =
      "proxy_set_header Host $http_host; proxy_set_header X-Real-IP $remote_addr; " +
      "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Proto $scheme;";
    const servers = settings.flatMap((site) => {
      const [bare, told, chain] = [kinds.bare, kinds.told, kinds.chain].map((fronts) => fronts[site] as Front);
      const toSite = `proxy_pass http://${upstream(site)};`;
      return [
        server(bare as Front, toSite),
        server(told as Front, params + toSite),
        server(chain as Front, `${params} proxy_pass http://127.0.0.1:${told?.http};`),
      ];
    });
    nginx = await startNginx(folder, names, servers.join(""));
    for (const front of Object.values(kinds).flat())
      await vi.waitFor(() => askFront(front, `${own}/healthz`), patience);
  });
  afterAll(() => stopProgram(nginx));

  it("is warned of where it does not fit, and nothing else is", async () => {
    expect(warningsOf(1)).toEqual([]);
    // Requests that fit, a stranger's forgeries among others, and checks on the machine itself.
    await visit(kinds.told[1] as Front, {}, 25);
    for (let i = 0; i < 25; i++) {
      await visit(kinds.told[1] as Front, { "X-Forwarded-For": `6.6.6.${i}` }, 3);
      await visit(kinds.told[1] as Front, {}, 1);
    }
    const direct = { http: Number(new URL(sites[1]?.url ?? "").port), https: 0 };
    for (let i = 0; i < 25; i++)
      for (const host of ["127.0.0.1:3000", "firm.example"])
        expect((await askFront(direct, `http://${host}/`)).status).toBe(200);
    await visit(kinds.chain[2] as Front, {}, 25);
    expect(warningsOf(1)).toEqual([]);

    await visit(kinds.chain[1] as Front);
    expect(warningsOf(1)).toEqual(["setup.more-proxies"]);
    await visit(kinds.bare[1] as Front, { Referer: `${own}/` });
    expect(warningsOf(1)).toEqual(["setup.more-proxies", "setup.fewer-proxies"]);
    await visit(kinds.told[2] as Front);
    expect(warningsOf(2)).toEqual(["setup.fewer-proxies"]);
    expect(warningsOf(0)).toEqual(["setup.forwarded-for-ignored"]);
  });

  // By `proxy_pass` alone, the site learns neither name nor scheme; behind another, the scheme is that of the way between the two.
  const unknown = { http: [], https: [], httpWww: [], www: [] };
  const served = { http: [], https: [], httpWww: [own], www: [own] };
  it.each([
    ["bare", 0, unknown],
    ["bare", 1, unknown],
    ["bare", 2, unknown],
    ["told", 0, served],
    ["told", 1, { ...served, http: [own] }],
    ["told", 2, { ...served, http: [own] }],
    ["chain", 0, served],
    ["chain", 1, served],
    ["chain", 2, served],
  ] as const)("%s, with TRUSTED_PROXIES=%d, leads nobody in circles", async (kind, site, led) => {
    expect(await tryEveryAddress(kinds[kind][site] as Front)).toEqual(led);
  });

  it("keeps a site behind Cloudflare's https from sending visitors in circles", async () => {
    // Plain http between the two, and the visitor on https: nginx tells its own scheme.
    const cloudflare = { "CF-Ray": "x", "CF-Visitor": '{"scheme":"https"}', "X-Forwarded-Proto": "https" };
    for (const front of kinds.told)
      expect((await askFront(front, "http://firm.example/about", cloudflare)).status).toBe(200);
  });
});
