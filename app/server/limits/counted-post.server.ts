import type { RateDecision } from "./rate-limit.server";

/** A post that the edge has counted, before it was given a place in the render queue. */
export interface CountedPost {
  /** names what was counted, for giving it back */
  what: string;
  rate: RateDecision;
}

/**
 * Names what a post to a page counts as. Each form counts by itself: an office's choices about cookies, say, must not close
 * its contact form.
 * @param path pattern of the page
 * @returns null for pages that judge the session instead: admins at work close no form
 */
export function nameOfPost(path: string): string | null {
  const page = path.replace(/\.data$/, "");
  return /^\/admin(?:\/|$)/.test(page) || page === "/login/second-factor" ? null : page;
}
