import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createLog } from "../observability/log.server";
import { createRequestFailures } from "./refusals.server";
import { createFileServer } from "./static-files.server";

const folder = mkdtempSync(join(tmpdir(), "files-"));
const publicDir = join(folder, "public");
const assets = join(folder, "client", "assets");
let printed = "";
const sink = { write: (text: string) => void (printed += text) };
let url = "";
const server = createServer();

beforeAll(async () => {
  for (const made of [publicDir, assets, join(folder, "client", "share")]) mkdirSync(made, { recursive: true });
  for (const name of ["kept.txt", "gone.txt"]) writeFileSync(join(publicDir, name), name);
  writeFileSync(join(publicDir, "large.bin"), Buffer.alloc(64 * 1024 * 1024));
  writeFileSync(join(publicDir, "a.svg"), "");
  writeFileSync(join(assets, "a.css"), "");
  for (const ending of ["", ".br", ".gz"]) writeFileSync(join(assets, `a.js${ending}`), `a.js${ending}`);
  const failures = createRequestFailures(createLog(sink, sink), () => {}, {});
  const serveFiles = createFileServer(join(folder, "client"), publicDir, failures);
  const listener = failures.guard((request, response) => {
    serveFiles(request, response, () => void response.writeHead(404).end());
  });
  server.on("request", listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

it("closes the connection when a file has disappeared, logs it, and keeps serving", async () => {
  rmSync(join(publicDir, "gone.txt"));
  await expect(fetch(`${url}/gone.txt`).then((response) => response.text())).rejects.toThrow(TypeError);
  expect(printed).toMatch(/"event":"request.failed".*"code":"ENOENT"/);
  expect(await (await fetch(`${url}/kept.txt`)).text()).toBe("kept.txt");
});

it.each([
  ["/assets/a.js", "text/javascript; charset=utf-8"],
  ["/assets/a.css", "text/css; charset=utf-8"],
  ["/a.svg", "image/svg+xml; charset=utf-8"],
  ["/kept.txt", "text/plain; charset=utf-8"],
])("names the charset of %s", async (path, type) => {
  for (const encoding of ["br", "gzip", "identity"]) {
    const { headers } = await fetch(url + path, { headers: { "Accept-Encoding": encoding } });
    expect(headers.get("content-type"), encoding).toBe(type);
  }
});

it.skipIf(process.platform !== "linux")("closes the file when the client disconnects", async () => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
    socket.write("GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n");
  });
  await once(socket, "data");
  socket.pause();
  await vi.waitFor(() => expect(countOpen("large.bin")).toBe(1));
  socket.destroy();
  await vi.waitFor(() => expect(countOpen("large.bin")).toBe(0));
});

it("sends an accepted encoding, and none that is excluded", async () => {
  const encodings = ["br;q=0, gzip", "x-abroad", "gzip;q=0"].map(async (accepted) => {
    const { headers } = await fetch(`${url}/assets/a.js`, { headers: { "Accept-Encoding": accepted } });
    return headers.get("content-encoding");
  });
  expect(await Promise.all(encodings)).toEqual(["gzip", null, null]);
});

/** @returns how many of this process's file descriptors are of a file of this name */
function countOpen(name: string): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(name);
    } catch {
      return false;
    }
  }).length;
}
