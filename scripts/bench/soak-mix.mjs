import { randomBytes } from "node:crypto";
import { writeRequest } from "./load.mjs";

/** Every so many requests one message is kept and mailed. */
const messageEvery = 50;

/**
 * Requests of every kind, good and bad, in turn; the same for every run but for tokens and numbers.
 * @param {number} port of the product @returns {() => Buffer} the bytes of the next one
 */
export function makeMix(port) {
  const host = `localhost:${port}`;
  const get = (/** @type {string} */ path, /** @type {Record<string, string>} */ headers = {}) =>
    writeRequest({ path, host, headers: { "Accept-Encoding": "gzip, deflate, br", ...headers } });
  const post = (/** @type {string} */ path, /** @type {Record<string, string>} */ fields) =>
    writeRequest({
      method: "POST",
      path,
      host,
      headers: { Origin: `http://${host}`, "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields).toString(),
    });
  /** @type {(() => Buffer)[]} */
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
    () => post("/consent", { choice: "reject", version: "1.0", page: "/about" }),
    () => post("/consent", { choice: token() }),
    () => post("/login", { email: token(), password: token() }),
    () => post("/contact", { [`a[${token()}]`]: "x", __intent__: token() }),
  ];
  let count = 0;
  return () => {
    count++;
    if (count % messageEvery === 0) return post("/contact", message(count));
    const next = kinds[count % kinds.length];
    if (!next) throw new Error("There are no kinds of requests.");
    return next();
  };
}

/** @param {number} number makes it a message of its own @returns {Record<string, string>} */
function message(number) {
  return {
    name: "Grace Hopper",
    email: "grace@harbor.example",
    company: "Harbor Clinics",
    stage: "Growth stage",
    goal: "Automate intake",
    message: `We run nine clinics. Can we talk? ${number}`,
    privacyConsent: "on",
  };
}

/** What looks like one of our secrets and is none. */
function token() {
  return randomBytes(24).toString("base64url");
}
