import { loadModule } from "../../scripts/load-module.mjs";
import { ask } from "./generators/ask.mjs";

/**
 * What a browser must fetch before it can paint a page, brotli as every current one asks for it.
 * @typedef {{ path: string, bytes: number, bodyBytes: number, styleSheets: number }} FirstView `bytes` is the page and its
 *   style sheets on the wire, headers included
 */

/**
 * The first view of every public page, and of the one that the admin sees first, which is rendered for each visitor.
 * @param {number} port of the product, whose pages are in memory @returns {Promise<FirstView[]>} as the site lists them
 */
export async function measureFirstViews(port) {
  const { sitePages } = /** @type {typeof import("../../app/content/site-pages")} */ (
    await loadModule("app/content/site-pages.ts")
  );
  const views = [];
  for (const path of [...sitePages.map((page) => page.path), "/login"]) views.push(await measureFirstView(port, path));
  return views;
}

/** @param {number} port @param {string} path @returns {Promise<FirstView>} */
async function measureFirstView(port, path) {
  const page = await get(port, path, "br");
  const { body } = await get(port, path);
  // A sheet for print holds no painting up.
  const sheets = [...body.toString().matchAll(/<link(?![^>]*media="print")[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g)];
  let bytes = page.bytes;
  for (const [, href = ""] of sheets) bytes += (await get(port, href, "br")).bytes;
  return { path, bytes, bodyBytes: page.body.length, styleSheets: sheets.length };
}

/** @param {number} port @param {string} path @param {string} [encoding] */
async function get(port, path, encoding) {
  const headers = /** @type {Record<string, string>} */ (encoding ? { "Accept-Encoding": encoding } : {});
  const answer = await ask(port, { path, headers });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return answer;
}
