import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { idPlaceholder } from "../requests/requests.mjs";

/** What stands for `[<id>]`; as long in every request, since `Content-Length` is written before. */
const idLength = 20;

/** @returns {string | null} name and version, or null where it is not installed */
export function findWrk() {
  // It prints its usage, and ends with 1.
  const { stdout } = spawnSync("wrk", ["--version"], { encoding: "utf8" });
  return /^wrk \S+/.exec(stdout ?? "")?.[0] ?? null;
}

/**
 * Loads a server on this machine by wrk in one thread: every connection sends a request, waits for the whole answer, sends the next.
 * @param {import("./autocannon.mjs").LoadPlan} plan
 * @returns {Promise<import("./autocannon.mjs").LoadResult>}
 * @throws when a connection fails or a request has no answer within ten seconds
 */
export async function loadByWrk({ port, isHttps = false, seconds, connections, requests }) {
  const folder = await mkdtemp(join(tmpdir(), "wrk-"));
  const script = join(folder, "requests.lua");
  try {
    await writeFile(script, writeScript(requests.map((request) => writeRequest(request, `localhost:${port}`))));
    const origin = `${isHttps ? "https" : "http"}://localhost:${port}`;
    const words = ["-t1", `-c${connections}`, `-d${Math.ceil(seconds)}`, "--timeout=10s", "-s", script, origin];
    const { stdout } = await promisify(execFile)("wrk", words);
    const { failures, ...result } = JSON.parse(stdout.slice(stdout.lastIndexOf("{")));
    if (failures > 0) throw new Error(`${failures} requests had no answer.`);
    return result;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {import("./autocannon.mjs").LoadRequest} request @param {string} host */
function writeRequest({ method = "GET", path, headers = {}, body = "" }, host) {
  const length = body.replaceAll(idPlaceholder, "0".repeat(idLength)).length;
  const fields = { Host: host, ...headers, ...(method === "POST" ? { "Content-Length": String(length) } : {}) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

/**
 * wrk parses answers in Lua only where a script asks for it, which would cost more than the rest: it counts 4xx and 5xx by itself.
 * @param {string[]} requests
 */
function writeScript(requests) {
  const run = Math.floor(Math.random() * 1e9);
  return `
local requests = { ${requests.map(quote).join(",\n")} }
local hasIds = ${requests.some((request) => request.includes(idPlaceholder))}
local turn, id = 0, 0
function request()
  turn = turn % #requests + 1
  if not hasIds then return requests[turn] end
  id = id + 1
  return (requests[turn]:gsub("%[<id>%]", string.format("%0${idLength - 10}d%010d", ${run}, id)))
end
function done(summary, latency)
  local errors = summary.errors
  local seconds = summary.duration / 1e6
  io.write(string.format(
    '{"requests":%d,"perSecond":%f,"p99Ms":%f,"errorAnswers":%d,"failures":%d}',
    summary.requests, summary.requests / seconds, latency:percentile(99) / 1000, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
`;
}

/** A string of Lua. @param {string} text */
function quote(text) {
  return `"${text.replace(/[^ !#-[\]-~]+/g, escape)}"`;
}

/** @param {string} text */
function escape(text) {
  return [...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, "0")}`).join("");
}
