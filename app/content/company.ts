import { company as given } from "#firm/company";
import type { Company } from "./firm/company-facts";

/** The firm of this process: what the operator's file of facts says (SITE_FACTS), and the built-in stand-ins for the rest. */
export const company: Company = given;

/** The firm answers a contact message within this time (REQUIREMENTS 3.5). */
export const { replyWithinHours } = company;

/** That time as pages and mails promise it, e.g. "24 hours". */
export const replyPromise = `${replyWithinHours} hours${company.replyDays === "business" ? " on business days" : ""}`;
