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
 * Starts Caddy on deploy/Caddyfile with the options of its version, with its internal CA and without its admin port.
 * Its log is `caddy.log`.
 * @param folder for all files that it writes
 * @param changed `front` for the test's ports; `change` edits each file for the test
 */
export async function startRepositoryCaddy(
  folder: string,
  environment: Record<string, string>,
  { front, change = (file) => file }: { front?: Front; change?(file: string): string } = {},
): Promise<ChildProcess> {
  const options = takesNewOptions ? "caddy-2.10" : "caddy-2.6";
  await mkdir(join(folder, options));
  for (const name of await readdir(join("deploy", options)))
    await writeFile(join(folder, options, name), change(await readFile(join("deploy", options, name), "utf8")));
  const ports = front ? `http_port ${front.http}\nhttps_port ${front.https}` : "";
  const caddyfile = change(await readFile("deploy/Caddyfile", "utf8"));
  await writeFile(
    join(folder, "Caddyfile"),
    caddyfile.replace(/^\{$/m, () => `{\nlocal_certs\nskip_install_trust\nadmin off\n${ports}`),
  );
  const log = await open(join(folder, "caddy.log"), "w");
  const surroundings = { NODE_ENV: "test", PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder } as const;
  const program = spawn(caddyProgram, ["run", "--config", join(folder, "Caddyfile")], {
    env: { ...surroundings, CADDY_TRUSTED_PROXIES: "", ...environment },
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
  { http, https }: Front,
  upstream: string,
): Promise<ChildProcess> {
  const site = (await readFile("deploy/nginx.conf", "utf8"))
    .replaceAll(/listen (\[::\]:)?80;/g, (_, v6) => (v6 ? "" : `listen 127.0.0.1:${http};`))
    .replaceAll(/listen (\[::\]:)?443 ssl http2;/g, (_, v6) => (v6 ? "" : `listen 127.0.0.1:${https} ssl http2;`))
    .replaceAll("/etc/letsencrypt/live/firm.example/fullchain.pem", `${folder}/cert.pem`)
    .replaceAll("/etc/letsencrypt/live/firm.example/privkey.pem", `${folder}/key.pem`)
    .replaceAll("/var/log/nginx/", `${folder}/`)
    .replace("127.0.0.1:3000", upstream);
  return startNginx(folder, site);
}

/**
 * Starts nginx, with the logs of Debian's: `access.log` and `error.log` unless a server says otherwise.
 * @param folder for all files that it writes
 * @param servers blocks of `server`; `cert.pem` and `key.pem` are a certificate for firm.example and www.firm.example
 */
export async function startNginx(folder: string, servers: string): Promise<ChildProcess> {
  const certificate = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -keyout key.pem -out cert.pem";
  const names = ["-addext", "subjectAltName=DNS:firm.example,DNS:www.firm.example"];
  const made = spawnSync("openssl", [...certificate.split(" "), ...names], { cwd: folder });
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
  const files = ["-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")];
  return spawn(nginxProgram ?? "nginx", files, { stdio: "ignore" });
}

/** Stops a program started by a test. */
export async function stopProgram(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  program.kill();
  await once(program, "exit");
}
