import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeDataDir } from "../support/product";
import { canBeRefused, makePublicFolder, runSite, sentenceOf } from "./support/run-site";

// What an operator meets first is one sentence: with the name of what is wrong, without a stack, and without a value.

/** Whether this machine lets everybody listen on port 80, as containers often do. */
function mayListenOn80(): boolean {
  const first = "/proc/sys/net/ipv4/ip_unprivileged_port_start";
  return !existsSync(first) || Number(readFileSync(first, "utf8")) <= 80;
}

describe("the file .env", () => {
  const line = "export PORT='4321' # the port\r\n";

  it.each([
    ["with a mark at its beginning, as editors write it", `\ufeff${line}`],
    ["in UTF-16, as PowerShell writes it", Buffer.from(`\ufeff${line}`, "utf16le")],
    ["in the other UTF-16", Buffer.from(`\ufeff${line}`, "utf16le").swap16()],
  ])("is read %s", async (_how, envFile) => {
    const { err } = await runSite(["healthcheck"], { envFile });
    expect(err).toMatch(/^No site responds at http:\/\/127\.0\.0\.1:4321 \(/);
  });

  it.each([["serve"], ["backup"], ["admin", "list"], ["healthcheck"]])(
    "that cannot be read ends %s with the line, the name and no value",
    async (...words) => {
      const envFile = 'PORT=4321\nADMIN_PASSWORD="secret-1\nDATA_DIR=x\nsecret-2\n';
      const { code, out, err } = await runSite(words, { envFile });
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err.split("\n")).toEqual([
        "The file .env has 2 mistakes:",
        expect.stringMatching(/^- line 2 \(ADMIN_PASSWORD\) has an opening quotation mark/),
        expect.stringMatching(/^- line 4 has no =/),
        "",
      ]);
    },
  );
});

describe("an old Node.js", () => {
  // A real one cannot be among the packages of the tests: the oldest that the product takes could not install it.
  const pretending = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });`;
  const nodeOptions = ["--import", `data:text/javascript,${encodeURIComponent(pretending)}`];

  it.each(["bin/site.mjs", "bin/dev.mjs", "scripts/start.mjs", "scripts/test.mjs", "bin/node-version.mjs"])(
    "is refused by %s before anything else",
    async (program) => {
      const ended = await runSite(["serve"], { nodeOptions, program });
      expect(sentenceOf(ended)).toMatch(/^This site needs Node\.js 20\.19 or newer, but this is 18\.20\.8/);
    },
  );
});

describe("a port or an address that cannot be listened on", () => {
  it.each([["PORT"], ["METRICS_PORT"]])("is called %s when another program has it", async (name) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const settings = { PORT: "0", [name]: String(port), DATA_DIR: await makeDataDir() };
    const ended = await runSite(["serve"], { settings });
    other.close();
    expect(sentenceOf(ended)).toMatch(
      new RegExp(`^Another program listens on port ${port} \\(EADDRINUSE\\): .* set ${name} to`),
    );
  });

  it.each([
    ["HOST", "nowhere.invalid"],
    ["HOST", "192.0.2.7"],
    ["METRICS_HOST", "nowhere.invalid"],
  ])("is called %s where %s is none of this machine", async (name, value) => {
    const settings = {
      PORT: "0",
      METRICS_PORT: "9",
      METRICS_HOST: "127.0.0.1",
      [name]: value,
      DATA_DIR: await makeDataDir(),
    };
    if (name === "HOST") Object.assign(settings, { METRICS_PORT: "" });
    const ended = await runSite(["serve"], { settings });
    expect(sentenceOf(ended)).toMatch(new RegExp(`^${name} is no address that this machine can listen on \\(E`));
    expect(ended.err).not.toContain(value);
  });

  it.skipIf(!canBeRefused || mayListenOn80())("is called PORT where the user has no right to it", async () => {
    // The data folder is made before: it must be one that this user can make.
    const settings = { PORT: "80", DATA_DIR: join(await makePublicFolder(0o777), "data") };
    const ended = await runSite(["serve"], { settings, asNobody: true });
    expect(sentenceOf(ended)).toMatch(/^This user may not listen on port 80 \(EACCES\): set PORT to/);
  });
});

it("a start in another folder is told the right one", async () => {
  const ended = await runSite(["serve"], { isElsewhere: true, settings: { DATA_DIR: await makeDataDir() } });
  expect(sentenceOf(ended)).toMatch(/^The files of the pages are not in this folder: start the site in \S+\.$/m);
});

describe("help", () => {
  it.each(["help", "--help", "-h"])(
    "is not a mistake: %s lists every command, the accounts' among them",
    async (word) => {
      const { code, out, err } = await runSite([word]);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      for (const command of ["serve", "backup", "invite", "new-password-link", "reset-second-factor", "set-password"])
        expect(out).toContain(command);
    },
  );

  it("comes with another exit code where no such command is", async () => {
    expect(await runSite(["serv"])).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^Usage:/) });
  });
});
