import { createHash } from "node:crypto";
import { wrapLateScript } from "./defer-scripts.server";

/** A page and the hashes for its Content-Security-Policy. */
export interface PageWithScripts {
  html: string;
  /** base64 SHA-256 of everything that the page runs and does not load */
  scriptHashes: string[];
}

/**
 * Replaces the nonces of a page's inline scripts by CSP hashes, so that the page can be cached: a nonce must differ in
 * every response (CSP level 3, section 7.1). Only scripts with this render's nonce are hashed; an injected script does
 * not know it, and is not run.
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
      const waiting = wrapLateScript(code);
      scriptHashes.add(hashOf(waiting)).add(hashOf(code));
      return `<script>${waiting}</script>`;
    },
  );
  return { html: hashed, scriptHashes: [...scriptHashes] };
}

/** The base64 SHA-256 by which a policy allows an inline script or style sheet. */
export function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("base64");
}
