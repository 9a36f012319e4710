import { createHash } from "node:crypto";
import { deferModule } from "./defer-scripts.server";

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
