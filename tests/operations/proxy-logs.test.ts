import type { ChildProcess } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { findFreePort } from "../support/free-port";
import { makeDataDir } from "../support/site-folder";
import { type Front, requestFront } from "./support/front";
import { hasCaddy, hasNginx, startRepositoryCaddy, startRepositoryNginx, stopProgram } from "./support/proxy-programs";

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

/**
 * Opens every secret link through a proxy whose site is down, so that the proxy has an error to log as well.
 * @returns everything that the proxy logged
 */
async function openSecretLinks(folder: string, proxy: ChildProcess, front: Front, origins: string[]): Promise<string> {
  const headers = {
    "User-Agent": browser,
    Referer: `https://firm.example/network?token=${token}`,
    Apikey: token,
    Authorization: token,
  };
  for (const origin of origins) {
    await vi.waitFor(() => requestFront(front, `${origin}/`), { timeout: 60_000, interval: 100 });
    for (const path of linkPaths)
      for (const separator of separators) await requestFront(front, `${origin}${path}${separator}${token}`, headers);
    await requestFront(front, `${origin}/network?token=${token}`, headers, { token });
  }
  await stopProgram(proxy);
  const logs = (await readdir(folder)).filter((name) => name.endsWith(".log"));
  return (await Promise.all(logs.map((name) => readFile(join(folder, name), "utf8")))).join("");
}

it.skipIf(!hasNginx)("deploy/nginx.conf logs requests without their secrets (skipped without nginx)", async () => {
  const [folder, front] = [await makeDataDir(), { http: await findFreePort(), https: await findFreePort() }];
  const nginx = await startRepositoryNginx(folder, front, `127.0.0.1:${await findFreePort()}`);
  const origins = ["https://firm.example", "http://firm.example", "https://www.firm.example"];
  const logged = await openSecretLinks(folder, nginx, front, origins);
  for (const path of linkPaths) expect(logged).toContain(` GET ${path} HTTP/1.1 502 `);
  expect(findSecret(logged)).toBeNull();
  expect([logged.includes("127.0.0.1"), logged.includes(browser)]).toEqual([false, false]);
});

it.skipIf(!hasCaddy)("deploy/Caddyfile logs errors without the request's secrets (skipped without Caddy)", async () => {
  const [folder, http] = [await makeDataDir(), await findFreePort()];
  const origin = `http://localhost:${http}`;
  const environment = { SITE_URL: origin, UPSTREAM: `127.0.0.1:${await findFreePort()}` };
  const caddy = await startRepositoryCaddy(folder, environment);
  const logged = await openSecretLinks(folder, caddy, { http, https: 0 }, [origin]);
  expect(logged).toContain("connection refused");
  expect(findSecret(logged)).toBeNull();
});

/** Finds a line with a part of the secret that is long enough to search for. */
function findSecret(logged: string): string | null {
  return (
    logged.split("\n").find((line) => line.includes(token.slice(0, 12)) || line.includes(token.slice(-12))) ?? null
  );
}
