import { companyElementId, readCompany } from "./company-element";

/**
 * The firm, in a browser: no script of the build holds a fact, so that one build serves any firm. A page with scripts brings them
 * along, in front of the scripts (root.tsx).
 */
export const company = readCompany(document.getElementById(companyElementId)?.textContent ?? "");
