import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Outside } from "~/server/commands/doctor/outside/visit.server";
import { findFreePort } from "../support/free-port";
import { type Product, startProduct, testSettings } from "../support/product";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { diagnose, lineOf, problemsOf, supplyFacts } from "./support/doctor";
import { type Front, requestFront } from "./support/front";
import { hasNginx, startNginx, stopProgram } from "./support/proxy-programs";

const names = ["firm.example", "www.firm.example"];
const forwarded =
  "proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Proto $scheme;";

/** Lines of `location /` of each proxy, and the server blocks of http and `www`. */
const kinds = {
  sound: forwarded,
  chained: forwarded,
  bare: "proxy_set_header Host $http_host;",
  rewriting: `${forwarded} proxy_set_header Accept-Encoding ""; sub_filter "</body>" "<!-- added --></body>";
    add_header Strict-Transport-Security "max-age=60"; add_header Referrer-Policy unsafe-url;`,
  unfinished: `${forwarded} if ($host = www.firm.example) { return 200 "parked"; } `,
  elsewhere: "return 301 https://other.example/;",
  down: forwarded,
};
type Kind = keyof typeof kinds;

describe.skipIf(!hasNginx)("doctor --from-outside, through nginx (skipped without nginx and OpenSSL)", () => {
  const fronts = {} as Record<Kind, Front>;
  let site: Product;
  let nginx: ChildProcess;
  let settings: Record<string, string>;
  let ca: string;

  beforeAll(async () => {
    const dataDir = await makeSiteFolder();
    settings = testSettings(dataDir, {
      SITE_FACTS: await supplyFacts(),
      SITE_URL: "https://firm.example",
      TRUSTED_PROXIES: "1",
      PORT: String(await findFreePort()),
    });
    site = await startProduct(settings, { dataDir });
    const folder = await makeDataDir();
    for (const kind of Object.keys(kinds) as Kind[])
      fronts[kind] = { http: await findFreePort(), https: await findFreePort() };
    const blocks = Object.entries(kinds).map(([kind, lines]) => {
      const { http, https } = fronts[kind as Kind];
      const upstream =
        kind === "down"
          ? `http://127.0.0.1:9`
          : kind === "chained"
            ? `http://127.0.0.1:${fronts.sound.http}`
            : `http://127.0.0.1:${settings.PORT}`;
      const plain = kind === "unfinished" ? `return 200 "plain";` : "return 308 https://$host$request_uri;";
      // The outer of two proxies speaks https, and the inner one http with it.
      const inner = kind === "sound" ? `${forwarded} proxy_pass ${upstream};` : plain;
      const outer = lines.startsWith("return") ? lines : `${lines} proxy_pass ${upstream};`;
      return `server { listen 127.0.0.1:${http}; server_name ${names.join(" ")}; location / { ${inner} } }
        server { listen 127.0.0.1:${https} ssl; server_name ${names.join(" ")};
          ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem; location / { ${outer} } }\n`;
    });
    nginx = await startNginx(folder, names, blocks.join(""));
    await vi.waitFor(() => requestFront(fronts.sound, "https://firm.example/healthz"), { timeout: 60_000 });
    ca = await readFile(join(folder, "cert.pem"), "utf8");
  });
  afterAll(async () => {
    await stopProgram(nginx);
    await site?.stop();
  });

  /** The network in which the names of the firm lead to this proxy. */
  const through = (kind: Kind, trusted = true): Outside => ({
    locate: ({ protocol }) => ({
      host: "127.0.0.1",
      port: protocol === "https:" ? fronts[kind].https : fronts[kind].http,
    }),
    ...(trusted ? { ca } : {}),
  });

  /** Runs the command as seen through a proxy, and leaves out what this site's own settings lack. */
  const look = async (
    kind: Kind,
    { trusted, changes = {} }: { trusted?: boolean; changes?: Record<string, string> } = {},
  ) => {
    const options = { args: ["--from-outside"], outside: through(kind, trusted) };
    const { findings } = await diagnose({ ...settings, ...changes }, options);
    return { findings: findings.filter(({ name }) => name !== "settings" && name !== "backups") };
  };

  it("finds nothing to do behind a proxy that is set up as documented", async () => {
    const diagnosis = await look("sound");
    expect(problemsOf(diagnosis)).toEqual([]);
    for (const name of [
      "SITE_URL",
      "certificate",
      "HSTS",
      "http",
      "www.firm.example",
      "TRUSTED_PROXIES",
      "rewriting",
      "headers",
    ])
      expect(lineOf(diagnosis, "ok", name)).toContain(`ok ${name}: `);
  });

  it("names the number of proxies that the site does not count", async () => {
    const line = lineOf(await look("chained"), "fix", "TRUSTED_PROXIES");
    expect(line).toMatch(/brought 2 addresses .* more proxies than .* Set TRUSTED_PROXIES=2 if/);
  });

  it("names a proxy that does not say where visitors come from", async () => {
    const line = lineOf(await look("bare"), "fix", "TRUSTED_PROXIES");
    expect(line).toMatch(/brought 0 addresses .* fewer proxies .*proxy\.md/);
  });

  it("names changed pages, policies and HSTS", async () => {
    const diagnosis = await look("rewriting");
    expect(lineOf(diagnosis, "fix", "rewriting")).toContain("A proxy changes pages on the way.");
    expect(lineOf(diagnosis, "look at", "headers")).toMatch(/changes or adds referrer-policy\. Let it pass/);
    expect(lineOf(diagnosis, "look at", "HSTS")).toContain("max-age=60");
  });

  it("names no consequences of a proxy that does not reach the site", async () => {
    const { findings } = await look("down");
    expect(lineOf({ findings }, "look at", "SITE_URL")).toContain("returned 502. Check the proxy's log");
    expect(lineOf({ findings }, "not checked", "proxies")).toMatch(
      new RegExp(`returned 502\\. Let the proxy pass requests on to http://127\\.0\\.0\\.1:${settings.PORT}, then run`),
    );
    expect(findings.filter(({ name }) => /TRUSTED|rewriting|headers|HSTS/.test(name))).toEqual([]);
  });

  it("names http and www without a redirect", async () => {
    const diagnosis = await look("unfinished");
    expect(lineOf(diagnosis, "look at", "http")).toMatch(/returns 200 in place of a redirect.*port 80/);
    expect(lineOf(diagnosis, "look at", "www.firm.example")).toContain("returns 200");
  });

  it("names a redirect to another site, and a certificate that browsers reject", async () => {
    expect(lineOf(await look("elsewhere"), "fix", "SITE_URL")).toContain("redirects to https://other.example.");
    const untrusted = await look("sound", { trusted: false });
    expect(lineOf(untrusted, "fix", "certificate")).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT/);
  });

  it("says what it cannot check: another site's key, an address that does not respond, and no public address", async () => {
    const stranger = await look("sound", { changes: { SESSION_SECRET: "x".repeat(32) } });
    expect(lineOf(stranger, "not checked", "TRUSTED_PROXIES")).toContain("does not know this site's key");
    const nowhere: Outside = { locate: () => ({ host: "127.0.0.1", port: 9 }) };
    const away = await diagnose(settings, { args: ["--from-outside"], outside: nowhere });
    expect(lineOf(away, "look at", "SITE_URL")).toMatch(/does not respond \(ECONNREFUSED\)/);
    expect(lineOf(away, "not checked", "proxies")).toContain("ECONNREFUSED");
    const local = await diagnose({ ...settings, SITE_URL: "" }, { args: ["--from-outside"] });
    expect(lineOf(local, "not checked", "outside")).toContain("not a public address");
  });
});
