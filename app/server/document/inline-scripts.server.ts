import { createHash } from "node:crypto";
import { adminContentId } from "~/lib/pages/admin-area";

/**
 * Replaces the nonces of a page's inline scripts with CSP hashes, so that the page can be cached: a nonce must differ
 * in every response (CSP level 3, section 7.1). Hashes only scripts with this render's nonce. An injected script does
 * not know the nonce, so browsers block it. Module preloads wait until their module runs.
 * @param html a rendered page
 * @param nonce of this render; stripped from the output
 * @returns the page, and the base64 SHA-256 of each script that it runs without loading a file
 */
export function hashInlineScripts(html: string, nonce: string): { html: string; scriptHashes: string[] } {
  const scriptHashes = new Set<string>();
  const hashed = html
    .replaceAll('rel="modulepreload"', '$& media="not all"')
    .replace(
      new RegExp(`<script nonce="${nonce}"([^>]*)>([\\s\\S]*?)</script>`, "g"),
      (_, attributes: string, code: string) => {
        const isModule = attributes.includes('type="module"');
        const script = isModule ? deferModule(code) : code;
        scriptHashes.add(hashOf(script));
        return `<script${isModule ? "" : attributes}>${script}</script>`;
      },
    );
  return { html: hashed, scriptHashes: [...scriptHashes] };
}

/** Computes the base64 SHA-256 with which a policy allows an inline script or stylesheet. */
export function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("base64");
}

/**
 * Wraps a module's code in a script that runs it at the first press, key or focus in a form, except the cookie
 * banner's. Until then, and if the module never comes, the page is one without scripts. A touch that scrolls is no press.
 *
 * The module runs untouched in the admin area, on a page with a notice or mistakes, which take the focus, and on one
 * whose form is in use: focused, or filled by Back or a reload. Then it runs after `load` and the first paint, so that
 * scripts do not delay it. On a fast connection, `load` fires before the first paint, so the script waits for the second
 * animation frame. In a background tab, the code runs once the tab is visible.
 *
 * Remix writes a module with static imports, which no attribute can defer, so they become dynamic ones. The script
 * element stays where React expects it during hydration.
 */
function deferModule(code: string): string {
  const imports = [...code.matchAll(staticImport)];
  return `{let run=()=>{run=()=>{};
for(const link of document.querySelectorAll("link[rel=modulepreload]"))link.media="all";
Promise.all([${imports.map(([, , file]) => `import(${file})`).join()}])
.then(([${imports.map(([, name]) => name).join()}])=>{${code.replaceAll(staticImport, "").trim()}},()=>{})};
for(const type of["mousedown","focusin","input"])
addEventListener(type,({target})=>target.closest?.("main form,dialog form")&&run());
addEventListener("load",()=>requestAnimationFrame(()=>requestAnimationFrame(()=>setTimeout(()=>{
if(document.querySelector("#${adminContentId},main [role=alert],main [role=status],main form :is(:focus,input:checked)")||
[...document.querySelectorAll("main form :is(textarea,input:not([type=checkbox]))")]
.some(({value,defaultValue})=>value!==defaultValue))run()}))))}`;
}

const staticImport = /import (?:\* as (\w+) from )?("[^"]+");/g;
