import { createHash } from "node:crypto";
import { wrapLateScript } from "./defer-scripts.server";

/** A page whose policy names its scripts. */
export interface PageWithScripts {
  html: string;
  /** base64 SHA-256 of everything that the page runs and does not load */
  scriptHashes: string[];
}

/**
 * Names the scripts within a page by what they say, so that the same page can be sent to everybody: a nonce has to be
 * another one in every answer (CSP level 3, section 7.1). Only scripts that carry the mark are named; what somebody
 * managed to write into a page does not know it, and is not run.
 * @param html a rendered page
 * @param mark a nonce that no other page had, with which the page was rendered; it is gone afterwards
 */
export function nameScripts(html: string, mark: string): PageWithScripts {
  const scriptHashes = new Set<string>();
  const named = html.replace(
    new RegExp(`<script nonce="${mark}"([^>]*)>([\\s\\S]*?)</script>`, "g"),
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
  return { html: named, scriptHashes: [...scriptHashes] };
}

/** As a policy names a script or a style sheet within a page. */
export function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("base64");
}
