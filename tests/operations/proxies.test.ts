import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type ConnectionOptions, connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../support/free-port";
import { type Product, makeDataDir, startProduct } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { type Front, newFront, reachFront, requestFront } from "./support/front";
import { hasCaddy, hasNginx, startRepositoryCaddy, startRepositoryNginx, stopProgram } from "./support/proxy-programs";

const own = "https://firm.example";
const names = ["firm.example", "www.firm.example"];
const others = ["http://firm.example", "http://www.firm.example", "https://www.firm.example"];

const hostOf = ({ url }: Product) => `127.0.0.1:${new URL(url).port}`;

const browser = "Visitor/1.0";
const token = "Zk3vYp0aQ1-sT_8uWx2yB4cD6eF7gH9iJ0kLmNoPqRs";

/** The paths of links with a secret, in mails and on their pages. */
const linkPaths = [
  "/answered",
  "/data-rights/confirm",
  "/data-rights/status",
  "/data-rights/package",
  "/data-rights/package/file",
  "/login/password",
  "/network",
  "/network/mail",
  "/network/stop",
];
/** Mail programs escape or lose what separates a link's path from its secret, some of them twice. */
const separators = ["?token=", "?notice=x&token=", "%3Ftoken=", "%253Ftoken=", "%2F", "/", ";token=", "&token=", "%20"];

const repository = [
  {
    name: "deploy/Caddyfile",
    isHere: hasCaddy,
    start: async (folder: string, front: Front, UPSTREAM: string) =>
      // As its comment says of two names.
      startRepositoryCaddy(
        folder,
        { SITE_URL: names.map((name) => `https://${name}`).join(", "), UPSTREAM },
        { front },
      ),
    logs: ["connection refused"],
    leavesOut: [],
  },
  {
    name: "deploy/nginx.conf",
    isHere: hasNginx,
    start: startRepositoryNginx,
    logs: linkPaths.map((path) => ` GET ${path} HTTP/1.1 502 `),
    leavesOut: ["127.0.0.1", browser],
  },
];

describe.each(repository)("$name, by this machine's program", ({ isHere, start, logs, leavesOut }) => {
  describe.skipIf(!isHere)("(skipped without it)", () => {
    let site: Product;
    let front: Front;
    let proxy: ChildProcess;

    beforeAll(async () => {
      site = await startProduct({ SITE_URL: own, TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "2" });
      front = await newFront();
      proxy = await start(await makeDataDir(), front, hostOf(site));
      await reachFront(front, own);
    });
    afterAll(async () => {
      await stopProgram(proxy);
      await site?.stop();
    });

    it.each(others)("leads %s to the site's address", async (origin) => {
      let address: string | undefined = `${origin}/about?a=b`;
      for (let hops = 0; hops < 2 && address !== `${own}/about?a=b`; hops += 1) {
        const { status, headers } = await requestFront(front, address ?? "");
        expect(status).toBe(308);
        address = headers.location;
      }
      expect(address).toBe(`${own}/about?a=b`);
    });

    it("passes on every header of the site, including HSTS", async () => {
      const { status, headers } = await requestFront(front, `${own}/about?a=b`, { "Accept-Encoding": "br" });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        "strict-transport-security": expect.stringMatching(/^max-age=\d{8}/),
        "content-security-policy": expect.any(String),
        "x-content-type-options": "nosniff",
        "x-frame-options": expect.any(String),
        "referrer-policy": expect.any(String),
        "cross-origin-opener-policy": expect.any(String),
        "cross-origin-resource-policy": expect.any(String),
        "permissions-policy": expect.any(String),
        "content-encoding": "br",
      });
    });

    it("passes on HSTS for www, which visitors may type first", async () => {
      const { headers } = await requestFront(front, "https://www.firm.example/about");
      expect(headers["strict-transport-security"]).toMatch(/^max-age=63072000/);
    });

    it("offers TLS 1.2 and 1.3 with forward secrecy", async () => {
      for (const name of names) {
        expect(await negotiate(front, name, {})).toBe("TLSv1.3");
        expect(await negotiate(front, name, { maxVersion: "TLSv1.2" })).toBe("TLSv1.2");
        expect(await negotiate(front, name, { minVersion: "TLSv1", maxVersion: "TLSv1.1" })).toBeNull();
        expect(await negotiate(front, name, { maxVersion: "TLSv1.2" }, "AES256-GCM-SHA384")).toBeNull();
      }
    });

    /** Posts a form from this address, which names another in a forged header. */
    async function send(turn: number, from = "127.0.0.1"): Promise<number> {
      const headers = { Origin: own, "X-Forwarded-For": `203.0.113.${turn}` };
      return (await requestFront(front, `${own}/contact`, headers, filledContactForm, from)).status;
    }

    it("passes the real client address on, regardless of a forged header", async () => {
      // Three clients to a site that trusts the header, one client over its limit to a site that does not.
      expect([await send(1), await send(2), await send(3)]).toEqual([303, 303, 429]);
      // A different client, instead of the proxy itself once more.
      expect(await send(3, "127.0.0.2")).toBe(303);
    });

    it("logs requests to a site that is down without their secrets", async () => {
      const [folder, ofDown] = [await makeDataDir(), await newFront()];
      const beforeDown = await start(folder, ofDown, `127.0.0.1:${await findFreePort()}`);
      const Referer = `${own}/network?token=${token}`;
      const headers = { "User-Agent": browser, Referer, Apikey: token, Authorization: token };
      for (const origin of [own, "http://firm.example", "https://www.firm.example"]) {
        await reachFront(ofDown, origin);
        for (const path of linkPaths)
          for (const separator of separators)
            await requestFront(ofDown, `${origin}${path}${separator}${token}`, headers);
        await requestFront(ofDown, `${origin}/network?token=${token}`, headers, { token });
      }
      await stopProgram(beforeDown);
      const files = (await readdir(folder)).filter((name) => name.endsWith(".log"));
      const logged = (await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")))).join("");
      for (const words of logs) expect(logged).toContain(words);
      // Parts of the secret that are long enough to search for.
      for (const words of [...leavesOut, token.slice(0, 12), token.slice(-12)])
        expect(logged.split("\n").find((line) => line.includes(words))).toBeUndefined();
    });
  });
});

describe.skipIf(!hasNginx)("deploy/nginx.conf on http (skipped without nginx)", () => {
  it("redirects visits, and refuses what a program posts in clear", async () => {
    const front = await newFront();
    const nginx = await startRepositoryNginx(await makeDataDir(), front, "127.0.0.1:1");
    const origin = "http://firm.example";
    await reachFront(front, origin);
    expect((await requestFront(front, `${origin}/contact`)).headers.location).toBe(`${own}/contact`);
    const posted = await requestFront(front, `${origin}/contact`, {}, filledContactForm);
    expect([posted.status, posted.headers.location]).toEqual([403, undefined]);
    await stopProgram(nginx);
  });
});

/** Opens a TLS connection. @returns its version; null if the proxy refuses */
async function negotiate(
  { https }: Front,
  servername: string,
  versions: Pick<ConnectionOptions, "minVersion" | "maxVersion">,
  ciphers = "DEFAULT",
): Promise<string | null> {
  const options = { port: https, servername, rejectUnauthorized: false, ...versions };
  const socket = connect({ ...options, ciphers: `${ciphers}@SECLEVEL=0` });
  const version = await once(socket, "secureConnect").then(
    () => socket.getProtocol(),
    () => null,
  );
  socket.destroy();
  return version;
}

describe.skipIf(!hasCaddy)("deploy/Caddyfile behind a CDN (skipped without Caddy)", () => {
  it.each([
    ["passes on its client addresses if CADDY_TRUSTED_PROXIES names it", "10.0.0.0/8 127.0.0.0/8", 303],
    ["counts it as one client otherwise", "", 429],
  ])("%s", async (_, trusted, third) => {
    const http = await findFreePort();
    const origin = `http://localhost:${http}`;
    const site = await startProduct({ SITE_URL: origin, TRUSTED_PROXIES: "2", POST_RATE_LIMIT: "2" });
    const environment = { SITE_URL: origin, UPSTREAM: hostOf(site), CADDY_TRUSTED_PROXIES: trusted };
    const caddy = await startRepositoryCaddy(await makeDataDir(), environment);
    const front = { http, https: 0 };
    await reachFront(front, origin);
    const send = async (turn: number) => {
      const client = `203.0.113.${turn}`;
      const headers = { Origin: origin, "X-Forwarded-For": client, "CF-Connecting-IP": client };
      return (await requestFront(front, `${origin}/contact`, headers, filledContactForm)).status;
    };
    expect([await send(1), await send(2), await send(3)]).toEqual([303, 303, third]);
    await stopProgram(caddy);
    await site.stop();
  });
});
