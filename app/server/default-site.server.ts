import type { AppLoadContext } from "@remix-run/node";
import { requireFacts } from "~/content/firm/company.server";
import { parseSettings } from "./config/settings.server";
import { type SiteContext, createSiteContext } from "./site-context.server";

/** The site of a process that our own server did not start: stock `remix-serve` passes no context. */
let defaultSite: SiteContext | undefined;

/**
 * Returns the site of a request.
 * @throws SettingsError or FactsError when it must create the site and the settings or facts are invalid
 */
export function getSite(context: AppLoadContext): SiteContext {
  return context.site ?? (defaultSite ??= createDefaultSite());
}

function createDefaultSite(): SiteContext {
  const settings = parseSettings(process.env);
  requireFacts();
  return createSiteContext(settings);
}
