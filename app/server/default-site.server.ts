import type { AppLoadContext } from "@remix-run/node";
import { requireFacts } from "~/content/firm/company.server";
import { parseSettings } from "./config/settings.server";
import { type SiteContext, createSiteContext } from "./site-context.server";

/** The one site of a process that none of our own servers started: stock `remix-serve` passes no context. */
let defaultSite: SiteContext | undefined;

/**
 * The site that a request belongs to.
 * @throws SettingsError or FactsError where this process has no site yet and its settings or facts have a mistake
 */
export function getSite(context: AppLoadContext): SiteContext {
  return context.site ?? (defaultSite ??= makeDefaultSite());
}

function makeDefaultSite(): SiteContext {
  const settings = parseSettings(process.env);
  requireFacts();
  return createSiteContext(settings);
}
