import { createHash } from "node:crypto";

/** A page, and the script hashes for its content security policy. */
export interface PageWithScripts {
  html: string;
  /** base64 SHA-256 of each script that the page runs without loading a file */
  scriptHashes: string[];
}

/**
 * Replaces the nonces of a page's inline scripts with CSP hashes, so that the page can be cached: a nonce must differ
 * in every response (CSP level 3, section 7.1). Hashes only scripts with this render's nonce. An injected script does
 * not know the nonce, so browsers block it.
 * @param html a rendered page
 * @param nonce of this render; stripped from the output
 */
export function hashInlineScripts(html: string, nonce: string): PageWithScripts {
  const scriptHashes = new Set<string>();
  const hashed = html.replace(
    new RegExp(`<script nonce="${nonce}"([^>]*)>([\\s\\S]*?)</script>`, "g"),
    (_, attributes: string, code: string) => {
      if (!attributes.includes('type="module"')) {
        scriptHashes.add(hashOf(code));
        return `<script${attributes}>${code}</script>`;
      }
      const deferred = deferModule(code);
      scriptHashes.add(hashOf(deferred)).add(hashOf(code));
      return `<script>${deferred}</script>`;
    },
  );
  return { html: hashed, scriptHashes: [...scriptHashes] };
}

/** Computes the base64 SHA-256 with which a policy allows an inline script or stylesheet. */
export function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("base64");
}

/** Defers a page's module preloads until after the first paint, so that scripts do not delay it. */
export function deferModulePreloads(html: string): string {
  return html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" media="not all"');
}

/**
 * Wraps a module's code in a script that runs it after `load` and the first paint. On a fast connection, `load` fires
 * before the first paint, so the script waits for the second animation frame. In a background tab, the code runs once
 * the tab is visible. Remix writes a module with static imports, which no attribute can defer, so the script holds the
 * code as a string. The script element stays where React expects it during hydration. The policy must allow both this
 * script and the module.
 */
function deferModule(code: string): string {
  const text = JSON.stringify(code).replaceAll("<", "\\u003c");
  return [
    'addEventListener("load",()=>requestAnimationFrame(()=>requestAnimationFrame(()=>setTimeout(()=>{',
    'for(const link of document.querySelectorAll("link[rel=modulepreload]"))link.media="all";',
    'const script=document.createElement("script");script.type="module";',
    `script.textContent=${text};document.head.append(script)}))))`,
  ].join("");
}
