import { companyElementId, readCompany } from "./company-element";

/**
 * The firm's facts in a browser. No script of the build contains facts, so that one build serves any firm. A page with
 * scripts includes them before its scripts (root.tsx).
 */
export const company = readCompany(document.getElementById(companyElementId)?.textContent ?? "");
