import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/**
 * A program that stands before the site: TLS outside, kept connections within, `X-Forwarded-For`, no compression and no cache of
 * its own.
 * @typedef {{ name: string, versionFlag: string, configure(route: Route): { config: string, words: string[] } }} Proxy
 * @typedef {{ port: number, target: number, key: string, certificate: string, folder: string, configFile: string }} Route
 */

/** @type {Proxy[]} */
const proxies = [
  {
    name: "caddy",
    versionFlag: "version",
    configure: ({ port, target, key, certificate, configFile }) => ({
      config: `{
  admin off
  auto_https disable_redirects
}
https://localhost:${port} {
  tls ${certificate} ${key}
  reverse_proxy 127.0.0.1:${target}
}
`,
      words: ["run", "--adapter", "caddyfile", "--config", configFile],
    }),
  },
  {
    name: "nginx",
    versionFlag: "-v",
    configure: ({ port, target, key, certificate, folder, configFile }) => ({
      config: `${process.getuid?.() === 0 ? "user root;" : ""}
worker_processes auto;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream site {
    server 127.0.0.1:${target};
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${certificate};
    ssl_certificate_key ${key};
    keepalive_requests 1000000;
    large_client_header_buffers 4 16k;
    location / {
      proxy_pass http://site;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}
`,
      words: ["-p", folder, "-c", configFile, "-g", "daemon off;"],
    }),
  },
];

/** Those that stand before the site, installed or not. @returns {{ proxy: Proxy, version: string | null }[]} */
export function findProxies() {
  return proxies.map((proxy) => {
    const { stdout, stderr } = spawnSync(proxy.name, [proxy.versionFlag], { encoding: "utf8" });
    return { proxy, version: /\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0] ?? null };
  });
}

/**
 * Starts a proxy on this machine.
 * @param {Proxy} proxy @param {Omit<Route, "folder" | "configFile">} route
 * @returns {Promise<{ stop(): Promise<void> }>} once it listens
 * @throws with what it printed when it does not
 */
export async function startProxy({ name, configure }, route) {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const configFile = join(folder, "config");
  const { config, words } = configure({ ...route, folder, configFile });
  await writeFile(configFile, config);
  const env = { ...process.env, HOME: folder };
  const child = spawn(name, words, { env, stdio: ["ignore", "ignore", "pipe"] });
  const gone = once(child, "exit");
  let printed = "";
  child.stderr.on("data", (chunk) => (printed += chunk));
  while (!(await listens(route.port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended at once:\n${printed}`);
    await wait(50);
  }
  return {
    async stop() {
      child.kill("SIGTERM");
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @param {number} port @returns {Promise<boolean>} */
function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "localhost", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
