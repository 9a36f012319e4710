import { askOnce, writeRequest } from "./load.mjs";

/**
 * One kind of request that both servers are loaded with.
 * @typedef {{ name: string, status: number, connections: number, nextRequest: () => Buffer, least: number | null }} Scenario
 *   `status` is what every answer must have; `least` is the smallest ratio of requests per second to the bare server's
 *   that is good enough, or null where none is promised
 */

const message = {
  name: "Grace Hopper",
  email: "grace@harbor.example",
  company: "Harbor Clinics",
  stage: "Growth stage",
  goal: "Automate intake",
  message: "We run nine clinics.\r\nCan we talk? 00000000",
  privacyConsent: "on",
};

/**
 * Everything that is compared.
 * @param {number} port of the product, which is asked once for the tag of its first page
 * @returns {Promise<Scenario[]>}
 */
export async function makeScenarios(port) {
  const host = `localhost:${port}`;
  const get = (/** @type {Record<string, string>} */ headers) => writeRequest({ path: "/", host, headers });
  const { head } = await askOnce(port, get({ "Accept-Encoding": "br" }));
  const tag = /\r\netag: *(\S+)/i.exec(head)?.[1];
  if (!tag) throw new Error("The first page has no tag.");
  const brotli = get({ "Accept-Encoding": "gzip, deflate, br, zstd" });
  const gzip = get({ "Accept-Encoding": "gzip" });
  const identity = get({});
  const known = get({ "Accept-Encoding": "gzip, deflate, br, zstd", "If-None-Match": tag });
  const invalid = post(host, { ...message, email: "grace at harbor" });
  const many = { connections: 32 };
  return [
    { name: "GET / brotli", status: 200, ...many, nextRequest: () => brotli, least: 0.7 },
    { name: "GET / gzip", status: 200, ...many, nextRequest: () => gzip, least: 0.7 },
    { name: "GET / identity", status: 200, ...many, nextRequest: () => identity, least: 0.7 },
    { name: "GET / 304", status: 304, ...many, nextRequest: () => known, least: 0.7 },
    { name: "POST /contact invalid", status: 400, connections: 8, nextRequest: () => invalid, least: 0.1 },
    {
      name: "POST /contact valid",
      status: 303,
      connections: 8,
      nextRequest: numbered(post(host, message), "00000000"),
      least: null,
    },
  ];
}

/** @param {string} host @param {Record<string, string>} fields */
function post(host, fields) {
  return writeRequest({
    method: "POST",
    path: "/contact",
    host,
    headers: {
      Origin: `http://${host}`,
      "Content-Type": "application/x-www-form-urlencoded",
      "Accept-Encoding": "gzip, deflate, br, zstd",
    },
    body: new URLSearchParams(fields).toString(),
  });
}

/**
 * The same text sent twice is one message and would be stored once, so each gets a number of its own.
 * @param {Buffer} template @param {string} zeros that stand where the number goes
 */
function numbered(template, zeros) {
  const at = template.indexOf(zeros);
  let last = 0;
  return () => {
    const request = Buffer.from(template);
    request.write(String(++last).padStart(zeros.length, "0"), at, "latin1");
    return request;
  };
}
