import { ask } from "./ask.mjs";

/**
 * One kind of request that both servers are loaded with.
 * @typedef {{ name: string, status: number, connections: number, request: import("./load.mjs").LoadRequest, least: number | null }} Scenario
 *   `status` is what every answer must have; `least` is the smallest ratio of requests per second to the bare server's
 *   that is good enough, or null where none is promised
 */

/** The generator puts a text of its own here: the same message sent twice is one, and would be stored once. */
const id = "[<id>]";

const message = {
  name: "Grace Hopper",
  email: "grace@harbor.example",
  company: "Harbor Clinics",
  stage: "Growth stage",
  goal: "Automate intake",
  message: `We run nine clinics.\r\nCan we talk? ${id}`,
  privacyConsent: "on",
};

/**
 * Everything that is compared.
 * @param {number} port of the product, which is asked once for the tag of its first page
 * @returns {Promise<Scenario[]>}
 */
export async function makeScenarios(port) {
  const { headers } = await ask(port, get({ "Accept-Encoding": "br" }));
  const tag = headers[headers.findIndex((name) => name.toLowerCase() === "etag") + 1];
  if (!tag?.includes('"')) throw new Error("The first page has no tag.");
  const brotli = get({ "Accept-Encoding": "gzip, deflate, br, zstd" });
  const gzip = get({ "Accept-Encoding": "gzip" });
  const identity = get({});
  const known = get({ "Accept-Encoding": "gzip, deflate, br, zstd", "If-None-Match": tag });
  const invalid = post(port, { ...message, message: "We run nine clinics.\r\nCan we talk?", email: "grace at harbor" });
  const valid = post(port, message);
  const many = { connections: 32 };
  return [
    { name: "GET / brotli", status: 200, ...many, request: brotli, least: 0.7 },
    { name: "GET / gzip", status: 200, ...many, request: gzip, least: 0.7 },
    { name: "GET / identity", status: 200, ...many, request: identity, least: 0.7 },
    { name: "GET / 304", status: 304, ...many, request: known, least: 0.7 },
    { name: "POST /contact invalid", status: 400, connections: 8, request: invalid, least: 0.1 },
    {
      name: "POST /contact valid",
      status: 303,
      connections: 8,
      request: valid,
      least: null,
    },
  ];
}

/** @param {number} port @param {Record<string, string>} fields @returns {import("./load.mjs").LoadRequest} */
function post(port, fields) {
  return {
    method: "POST",
    path: "/contact",
    headers: {
      Origin: `http://localhost:${port}`,
      "Content-Type": "application/x-www-form-urlencoded",
      "Accept-Encoding": "gzip, deflate, br, zstd",
    },
    body: new URLSearchParams(fields).toString().replace(encodeURIComponent(id), id),
  };
}

/** @param {Record<string, string>} headers @returns {import("./load.mjs").LoadRequest} */
function get(headers) {
  return { path: "/", headers };
}
