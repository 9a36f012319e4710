import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Front } from "./front";

/**
 * Proxy programs: on the PATH, or named by these variables. Debian installs nginx in a folder that is not on users'
 * PATH.
 */
const caddyProgram = process.env.CADDY_PROGRAM ?? "caddy";
const nginxProgram = [process.env.NGINX_PROGRAM ?? "nginx", "/usr/sbin/nginx"].find((name) => runs(name, "-v"));

/** True if this machine has the program; nginx also needs a certificate, which OpenSSL makes. */
export const hasCaddy = runs(caddyProgram, "version");
export const hasNginx = nginxProgram !== undefined && runs("openssl", "version");

const caddyVersion = /2\.(\d+)/.exec(spawnSync(caddyProgram, ["version"], { encoding: "utf8" }).stdout ?? "")?.[1];

/** True if the machine's Caddy supports deploy/caddy-2.10, which compose's does; Debian's has deploy/caddy-2.6. */
export const takesNewOptions = Number(caddyVersion) >= 10;

function runs(program: string, option: string): boolean {
  return spawnSync(program, [option]).status === 0;
}

/**
 * Starts Caddy on deploy/Caddyfile, with its internal CA and without its admin port, and with the options of its
 * version.
 * @param changed `options`: global ones, one per line; `change` edits each file for the test
 */
export async function startRepositoryCaddy(
  folder: string,
  environment: Record<string, string>,
  { options: global = "", change = (file) => file }: { options?: string; change?(file: string): string } = {},
): Promise<ChildProcess> {
  const caddyfile = change(await readFile("deploy/Caddyfile", "utf8"));
  const options = takesNewOptions ? "caddy-2.10" : "caddy-2.6";
  await mkdir(join(folder, options));
  for (const name of await readdir(join("deploy", options)))
    await writeFile(join(folder, options, name), change(await readFile(join("deploy", options, name), "utf8")));
  const all = caddyfile.replace(/^\{$/m, () => `{\nlocal_certs\nskip_install_trust\nadmin off\n${global}`);
  return startCaddy(folder, all, { CADDY_TRUSTED_PROXIES: "", ...environment });
}

/**
 * Starts Caddy on a configuration, with its internal CA.
 * @param folder for the configuration, the certificates and the log, `caddy.log`
 */
async function startCaddy(
  folder: string,
  caddyfile: string,
  environment: Record<string, string> = {},
): Promise<ChildProcess> {
  await writeFile(join(folder, "Caddyfile"), caddyfile);
  const log = await open(join(folder, "caddy.log"), "w");
  const program = spawn(caddyProgram, ["run", "--config", join(folder, "Caddyfile")], {
    env: { NODE_ENV: "test", PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, ...environment },
    stdio: ["ignore", log.fd, log.fd],
  });
  await log.close();
  return program;
}

/**
 * Starts nginx on deploy/nginx.conf, with the test's ports, certificate and folder of logs.
 * @param upstream host and port of the site
 */
export async function startRepositoryNginx(
  folder: string,
  { http, https }: { http: number; https: number },
  upstream: string,
): Promise<ChildProcess> {
  const site = (await readFile("deploy/nginx.conf", "utf8"))
    .replaceAll(/listen (\[::\]:)?80;/g, (_, v6) => (v6 ? "" : `listen 127.0.0.1:${http};`))
    .replaceAll(/listen (\[::\]:)?443 ssl http2;/g, (_, v6) => (v6 ? "" : `listen 127.0.0.1:${https} ssl http2;`))
    .replaceAll("/etc/letsencrypt/live/firm.example/fullchain.pem", `${folder}/cert.pem`)
    .replaceAll("/etc/letsencrypt/live/firm.example/privkey.pem", `${folder}/key.pem`)
    .replaceAll("/var/log/nginx/", `${folder}/`)
    .replace("127.0.0.1:3000", upstream);
  return startNginx(folder, ["firm.example", "www.firm.example"], site);
}

/**
 * Starts nginx, with the logs of Debian's: `access.log` and `error.log` unless a server says otherwise.
 * @param folder for all files that it writes
 * @param servers blocks of `server`; `cert.pem` and `key.pem` are a certificate for their names
 */
export async function startNginx(folder: string, names: string[], servers: string): Promise<ChildProcess> {
  const subject = ["-subj", "/CN=test", "-addext", `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`];
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
  const made = spawnSync("openssl", [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    ...files,
    ...subject,
  ]);
  if (made.status !== 0) throw new Error(made.stderr.toString());
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  // As Debian's nginx.conf has it, and with OpenSSL's own refusal of old versions off.
  const tls = "ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3; ssl_ciphers DEFAULT@SECLEVEL=0;";
  const http = `${tls} access_log ${folder}/access.log; ${temporary.join(" ")}\n${servers}`;
  await writeFile(
    join(folder, "nginx.conf"),
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;\nevents {}\nhttp {\n${http}\n}\n`,
  );
  return spawn(nginxProgram ?? "nginx", ["-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")], {
    stdio: "ignore",
  });
}

/** Lines that tell a site where its visitors come from, as in Debian's proxy_params. */
export const forwarded =
  "proxy_set_header Host $http_host; proxy_set_header X-Real-IP $remote_addr; " +
  "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Proto $scheme;";

/** Returns the servers of a proxy for nginx. @param lines of `location /` */
export function serverBlocks(names: string[], ports: Front, lines: { http: string; https: string }): string {
  const certificate = "ssl_certificate cert.pem; ssl_certificate_key key.pem;";
  return `server { listen 127.0.0.1:${ports.http}; server_name ${names.join(" ")}; location / { ${lines.http} } }
    server { listen 127.0.0.1:${ports.https} ssl; server_name ${names.join(" ")}; ${certificate}
      location / { ${lines.https} } }\n`;
}

/** Stops a program started by a test. */
export async function stopProgram(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  program.kill();
  await once(program, "exit");
}
