import { randomBytes } from "node:crypto";

/** Every so many requests one message is kept and mailed. */
const messageEvery = 50;

/** @typedef {import("../bench/generators/autocannon.mjs").LoadRequest} LoadRequest */

/**
 * Requests of every kind, good and bad, in turn; the same for every run but for tokens and messages.
 * @param {number} port of the product @returns {(() => LoadRequest)[]} each makes its request anew
 */
export function makeRequests(port) {
  const post = (/** @type {string} */ path, /** @type {Record<string, string>} */ fields) => ({
    method: /** @type {const} */ ("POST"),
    path,
    headers: { Origin: `http://localhost:${port}`, "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  /** @type {(() => LoadRequest)[]} */
  const kinds = [
    () => get("/"),
    () => get("/contact"),
    () => get("/privacy-policy", { "If-None-Match": "*" }),
    () => get(`/no-such-page/${token()}`),
    () => get("/admin", { Cookie: `admin-session=base64-${token()}` }),
    () => get("/about", { Cookie: `flash=${token()}; cookie-consent=${token()}` }),
    () => get(`/data-rights/status?token=${token()}`),
    () => get("/CONTACT/"),
    () => get("/contact.data"),
    () => post("/contact", { name: token(), email: "not an address" }),
    () => post("/data-rights", { description: token().repeat(100) }),
    () => post("/consent", { choice: "reject", source: "banner", text: "", page: "/about" }),
    () => post("/consent", { choice: token() }),
    () => post("/login", { email: token(), password: token() }),
    () => post("/contact", { [`a[${token()}]`]: "x", __intent__: token() }),
  ];
  const others = Array.from({ length: messageEvery - 1 }).flatMap((_, turn) => kinds[turn % kinds.length] ?? []);
  return [...others, () => post("/contact", message())];
}

/** The same text sent twice is one message. @returns {Record<string, string>} */
function message() {
  return {
    name: "Grace Hopper",
    email: "grace@harbor.example",
    company: "Harbor Clinics",
    stage: "Growth stage",
    goal: "Automate intake",
    message: `We run nine clinics. Can we talk? ${token()}`,
    privacyConsent: "on",
  };
}

/** What looks like one of our secrets and is none. */
function token() {
  return randomBytes(24).toString("base64url");
}

/** @param {string} path @param {Record<string, string>} [headers] @returns {LoadRequest} */
function get(path, headers = {}) {
  return { path, headers: { "Accept-Encoding": "gzip, deflate, br", ...headers } };
}
