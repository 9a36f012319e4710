import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeDataDir } from "../support/site-folder";
import { canBeRefused, makePublicFolder, runSite, sentenceOf } from "./support/run-site";

// First errors are one sentence for the operator: it names the fault, without a stack or a value.

/** Returns true if any user may listen on port 80, as containers often allow. */
function mayListenOn80(): boolean {
  const first = "/proc/sys/net/ipv4/ip_unprivileged_port_start";
  return !existsSync(first) || Number(readFileSync(first, "utf8")) <= 80;
}

describe("the file .env", () => {
  const line = "export PORT='4321' # the port\r\n";

  it.each([
    ["with a byte order mark, as some editors write it", `\ufeff${line}`],
    ["in UTF-16, as PowerShell writes it", Buffer.from(`\ufeff${line}`, "utf16le")],
    ["in big-endian UTF-16", Buffer.from(`\ufeff${line}`, "utf16le").swap16()],
  ])("is read %s", async (_how, envFile) => {
    const { err } = await runSite(["healthcheck"], { envFile });
    expect(err).toMatch(/^No site responds at http:\/\/127\.0\.0\.1:4321 \(/);
  });

  it.each(["serve", "backup", "healthcheck"])(
    "with mistakes makes %s exit with their lines and names, but no value",
    async (word) => {
      const envFile = 'PORT=4321\nADMIN_PASSWORD="secret-1\nDATA_DIR=x\nsecret-2\n';
      const { code, out, err } = await runSite([word], { envFile });
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err.split("\n")).toEqual([
        "The file .env has 2 mistakes:",
        expect.stringMatching(/^- line 2 \(ADMIN_PASSWORD\) has an opening quotation mark/),
        expect.stringMatching(/^- line 4 has no =/),
        "",
      ]);
    },
  );

  it.each<[string, string, RegExp]>([
    ["a file that does not exist", "none.env", /^There is no file none\.env: create it, or set SITE_ENV/],
    ["a folder", ".", /^\. is a folder: /],
    ["a descriptor that is not open", "/dev/fd/9999", /^Cannot read the file \/dev\/fd\/9999 \(EBADF\)/],
    ["another kind of file", "/dev/zero", /^\/dev\/zero is no file: /],
  ])("is one sentence for %s", async (_kind, SITE_ENV, sentence) => {
    expect(sentenceOf(await runSite(["healthcheck"], { settings: { SITE_ENV } }))).toMatch(sentence);
  });

  it.skipIf(!canBeRefused || process.getuid?.() !== 0)(
    "has the service's name for it when systemd passes it as a credential",
    async () => {
      const folder = await makePublicFolder();
      const settings = { SITE_ENV: join(folder, "site.env"), CREDENTIALS_DIRECTORY: folder };
      await writeFile(settings.SITE_ENV, "PORT", { mode: 0o600 });
      expect((await runSite(["healthcheck"], { settings })).err).toMatch(/^The file site\.env has a mistake:/);
      const refused = await runSite(["healthcheck"], { settings, asNobody: true });
      expect(sentenceOf(refused)).toMatch(/^Cannot read the file site\.env \(EACCES\): .*, whose id is 65534\.$/);
    },
  );

  it("is refused unread when it has more than 256 kB", async () => {
    const { code, err } = await runSite(["healthcheck"], { envFile: "#".repeat(256 * 1024 + 1) });
    expect([code, err]).toEqual([1, "The file .env is too large: settings fit into 256 kB.\n"]);
  });
});

// The test packages cannot include an old Node: the minimum version of the product could not install it.
const fakeVersion = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(fakeVersion)}`;

it.each(["bin/site.mjs", "bin/dev.mjs", "scripts/start.mjs", "scripts/test.mjs", "bin/node-version.mjs"])(
  "rejects an old Node.js in %s before anything else",
  async (program) => {
    const result = await runSite(["serve"], { settings: { NODE_OPTIONS }, program });
    expect(sentenceOf(result)).toMatch(/^This site needs Node\.js 20\.19 or newer, but this is 18\.20\.8/);
  },
);

describe("an unusable port or address", () => {
  it.each(["PORT", "METRICS_PORT"])("is reported as %s when another program uses it", async (name) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const settings = { PORT: "0", [name]: String(port), DATA_DIR: await makeDataDir() };
    const sentence = sentenceOf(await runSite(["serve"], { settings }));
    other.close();
    expect(sentence).toMatch(
      new RegExp(`^Another program listens on port ${port} \\(EADDRINUSE\\): .* set ${name} to`),
    );
  });

  it.each([
    ["HOST", "nowhere.invalid"],
    ["HOST", "192.0.2.7"],
    ["METRICS_HOST", "nowhere.invalid"],
  ])("is reported as %s when %s is not an address of this machine", async (name, value) => {
    const settings = { PORT: "0", METRICS_PORT: name === "HOST" ? "" : "9", [name]: value };
    const result = await runSite(["serve"], { settings });
    expect(sentenceOf(result)).toMatch(new RegExp(`^${name} is no address that this machine can listen on \\(E`));
    expect(result.err).not.toContain(value);
  });

  it.skipIf(!canBeRefused || mayListenOn80())("is reported as PORT when the user may not listen on it", async () => {
    // This user must be able to create the data folder, which happens first.
    const settings = { PORT: "80", DATA_DIR: join(await makePublicFolder(0o777), "data") };
    const result = await runSite(["serve"], { settings, asNobody: true });
    expect(sentenceOf(result)).toMatch(/^This user may not listen on port 80 \(EACCES\): set PORT to/);
  });
});
