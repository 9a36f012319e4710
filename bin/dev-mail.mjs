import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";

/**
 * Serves the mails that a site without a mail server stores as files: `/dev/mail` lists them, newest first, and
 * `/dev/mail/<file>` shows one with its links.
 * @param {string} folder
 * @returns {import("../app/server/http/static-files.server").ServeFiles}
 */
export function createMailPages(folder) {
  return (request, response, next) => {
    const [, name] = /^\/dev\/mail(?:\/([\w-]+\.eml))?$/.exec(request.url ?? "") ?? [null, null];
    if (name === null) {
      next();
      return;
    }
    respond(name === undefined ? list(folder) : show(folder, name), response).catch(() => response.destroy());
  };
}

/**
 * @param {Promise<string | null>} page null if there is no such mail
 * @param {import("node:http").ServerResponse} response
 */
async function respond(page, response) {
  const body = await page;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
  response.writeHead(body === null ? 404 : 200, headers);
  const head = '<meta charset="utf-8"><title>Mails</title>';
  response.end(`<!doctype html><html lang="en">${head}${body ?? "No such mail."}</html>`);
}

/** @param {string} folder @returns {Promise<string>} */
async function list(folder) {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
  const mails = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtime, mail: await parse(folder, name) })),
  );
  mails.sort((a, b) => b.at.getTime() - a.at.getTime());
  const items = mails.map(
    ({ name, at, mail }) =>
      `<li>${at.toLocaleString("en-US")} <a href="/dev/mail/${name}">${escape(mail.subject ?? name)}</a> to ${recipients(mail)}</li>`,
  );
  return `<h1>Mails</h1>${items.length === 0 ? "<p>None yet.</p>" : `<ol>${items.join("")}</ol>`}`;
}

/** @param {string} folder @param {string} name @returns {Promise<string | null>} */
async function show(folder, name) {
  const mail = await parse(folder, name).catch(() => null);
  if (mail === null) return null;
  const parts = (mail.text ?? "").split(/(https?:\/\/[^\s<>"]+)/);
  const text = parts
    .map((part, at) => (at % 2 === 1 ? `<a href="${escape(part)}">${escape(part)}</a>` : escape(part)))
    .join("");
  return `<p><a href="/dev/mail">All mails</a></p><h1>${escape(mail.subject ?? "")}</h1><p>To ${recipients(mail)}</p><pre>${text}</pre>`;
}

/** @param {string} folder @param {string} name */
async function parse(folder, name) {
  return PostalMime.parse(await readFile(join(folder, name)));
}

/** @param {import("postal-mime").Email} mail */
function recipients(mail) {
  return escape((mail.to ?? []).map(({ address }) => address ?? "").join(", "));
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
