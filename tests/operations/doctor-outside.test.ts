import type { ChildProcess } from "node:child_process";
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Outside } from "~/server/commands/doctor/outside/visit.server";
import { findFreePort } from "../support/free-port";
import { type Product, startProduct, testSettings } from "../support/product";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { diagnose, printed, problemsOf, supplyFacts } from "./support/doctor";
import { type Front, newFront, reachFront } from "./support/front";
import { hasNginx, startNginx, stopProgram } from "./support/proxy-programs";

/** Lines that tell a site where its visitors come from, as in Debian's proxy_params. */
const forwarded =
  "proxy_set_header Host $http_host; proxy_set_header X-Real-IP $remote_addr; " +
  "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Proto $scheme;";

/** Lines of each proxy's `location /` for https. */
const kinds = {
  sound: forwarded,
  chained: forwarded,
  bare: "proxy_set_header Host $http_host;",
  rewriting: `${forwarded} proxy_set_header Accept-Encoding ""; sub_filter "</body>" "<!-- added --></body>";
    add_header Strict-Transport-Security "max-age=60"; add_header Referrer-Policy unsafe-url;`,
  unfinished: `${forwarded} if ($host = www.firm.example) { return 200 "parked"; } `,
  elsewhere: "return 301 https://other.example/;",
  down: forwarded,
  shared: forwarded,
  divided: forwarded,
  busy: `${forwarded} if ($uri != /about) { return 503; }`,
};
type Kind = keyof typeof kinds;

describe.skipIf(!hasNginx)("doctor --from-outside, through nginx (skipped without nginx and OpenSSL)", () => {
  const fronts = {} as Record<Kind, Front>;
  let sites: Product[];
  let nginx: ChildProcess;
  let settings: Record<string, string>;
  let ca: string;

  beforeAll(async () => {
    const dataDir = await makeSiteFolder();
    settings = testSettings(dataDir, {
      SITE_FACTS: await supplyFacts(),
      SITE_URL: "https://firm.example",
      TRUSTED_PROXIES: "1",
      SESSION_SECRET: "s".repeat(32),
      PORT: String(await findFreePort()),
    });
    const start = async (more: Record<string, string>, folder = dataDir) =>
      startProduct({ ...settings, ...more, DATA_DIR: folder }, { dataDir: folder });
    const [otherWords, otherKey] = [await makeSiteFolder(), await makeSiteFolder()];
    await mkdir(join(otherWords, "words"));
    const words = join(otherWords, "words/about.yaml");
    await writeFile(words, "headline: Advice from the people beside you\n");
    // A file as young as this one still waits.
    await utimes(words, 1, 1);
    sites = [
      await start({}),
      await start({ PORT: "0" }, otherWords),
      await start({ PORT: "0", SESSION_SECRET: "t".repeat(32) }, otherKey),
    ];
    const [own = "", shared, divided] = sites.map(({ url }) => `127.0.0.1:${new URL(url).port}`);
    for (const kind of Object.keys(kinds) as Kind[]) fronts[kind] = await newFront();
    const chained = `127.0.0.1:${fronts.sound.http}`;
    const upstreams: Record<string, string> = { down: "127.0.0.1:9", chained, shared: "two", divided: "keys" };
    const blocks = Object.entries(kinds).map(([kind, lines]) => {
      const upstream = `proxy_pass http://${upstreams[kind] ?? own};`;
      const plain = kind === "unfinished" ? `return 200 "plain";` : "return 308 https://$host$request_uri;";
      // The outer of two proxies speaks https, and the inner one http with it.
      const http = kind === "sound" ? `${forwarded} ${upstream}` : plain;
      const https = lines.startsWith("return") ? lines : `${lines} ${upstream}`;
      const ports = fronts[kind as Kind];
      return `server { listen 127.0.0.1:${ports.http}; server_name .firm.example; location / { ${http} } }
        server { listen 127.0.0.1:${ports.https} ssl; server_name .firm.example; location / { ${https} }
          ssl_certificate cert.pem; ssl_certificate_key key.pem; }`;
    });
    const folder = await makeDataDir();
    const balanced = `upstream two { server ${own}; server ${shared}; } upstream keys { server ${own}; server ${divided}; }`;
    nginx = await startNginx(folder, [balanced, ...blocks].join("\n"));
    await reachFront(fronts.sound, "https://firm.example");
    ca = await readFile(join(folder, "cert.pem"), "utf8");
  });
  afterAll(async () => {
    await stopProgram(nginx);
    await Promise.all(sites.map((site) => site.stop()));
  });

  /** Runs the command in a network where the names of the firm lead to this proxy. */
  async function look(kind: Kind, changes: Record<string, string> = {}, trusted: { ca?: string } = { ca }) {
    const locate: Outside["locate"] = ({ protocol }) => ({
      host: "127.0.0.1",
      port: protocol === "https:" ? fronts[kind].https : fronts[kind].http,
    });
    const lines = await diagnose(
      { ...settings, ...changes },
      { args: ["--from-outside"], outside: { locate, ...trusted } },
    );
    // This site's own settings lack these.
    return lines.filter((line) => !/^\w[\w ]* (?:settings|backups): /.test(line));
  }

  it("finds nothing to do behind a proxy that is set up as documented", async () => {
    const lines = await look("sound");
    expect(problemsOf(lines)).toEqual([]);
    for (const name of ["SITE_URL", "certificate", "HSTS", "http", "www.firm.example", "TRUSTED_PROXIES"])
      expect(lines).toEqual(printed(`ok ${name}: `));
    expect(lines).toEqual(printed("ok rewriting: ", "ok headers: ", "ok servers: "));
  });

  it.each<[line: string, kind: Kind, ...more: string[]]>([
    ["fix TRUSTED_PROXIES: …brought 2 addresses … more proxies than … Set TRUSTED_PROXIES=2 if", "chained"],
    ["fix TRUSTED_PROXIES: …brought 0 addresses … fewer proxies …proxy.md", "bare"],
    [
      "fix rewriting: …A proxy changes pages on the way.",
      "rewriting",
      "look at headers: …changes or adds referrer-policy. Let it pass",
      "look at HSTS: …max-age=60",
    ],
    [
      "look at http: …returns 200 in place of a redirect…port 80",
      "unfinished",
      "look at www.firm.example: …returns 200",
    ],
    ["fix servers: …do not know this site's key. Start all of them with one SESSION_SECRET", "divided"],
    ["fix servers: …different facts, words or articles. Copy", "shared"],
    ["not checked proxies: …returned 503.", "busy"],
    ["fix SITE_URL: …redirects to https://other.example.", "elsewhere"],
  ])("prints “%s” of a proxy that is %s", async (line, kind, ...more) => {
    expect(await look(kind)).toEqual(printed(line, ...more));
  });

  it("names no consequences of a proxy that does not reach the site", async () => {
    const lines = await look("down");
    const remedy = `Let the proxy pass requests on to http://127.0.0.1:${settings.PORT}, then run`;
    expect(lines).toEqual(printed("look at SITE_URL: …returned 502. Check the proxy's log"));
    expect(lines).toEqual(printed(`not checked proxies: …returned 502. ${remedy}`));
    expect(lines.filter((line) => /^\w[\w ]* (?:TRUSTED\w*|rewriting|headers|HSTS): /.test(line))).toEqual([]);
  });

  it("names a certificate that browsers reject", async () => {
    expect(await look("sound", {}, {})).toEqual(printed("fix certificate: …DEPTH_ZERO_SELF_SIGNED_CERT"));
  });

  it("says what it cannot check: another site's key, an address that does not respond, and no public address", async () => {
    const stranger = await look("sound", { SESSION_SECRET: "x".repeat(32) });
    expect(stranger).toEqual(printed("not checked TRUSTED_PROXIES: …does not know this site's key"));
    const nowhere: Outside = { locate: () => ({ host: "127.0.0.1", port: 9 }) };
    const away = await diagnose(settings, { args: ["--from-outside"], outside: nowhere });
    expect(away).toEqual(
      printed("look at SITE_URL: …does not respond (ECONNREFUSED)", "not checked proxies: …ECONNREFUSED"),
    );
    const local = await diagnose({ ...settings, SITE_URL: "" }, { args: ["--from-outside"] });
    expect(local).toEqual(printed("not checked outside: …not a public address"));
  });
});
