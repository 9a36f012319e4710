import type { AppLoadContext } from "@remix-run/node";
import { parseSettings } from "./config/settings.server";
import { type SiteContext, createSiteContext } from "./site-context.server";

/** The one site of a process that none of our own servers started: stock `remix-serve` passes no context. */
let defaultSite: SiteContext | undefined;

/**
 * The site that a request belongs to.
 * @throws SettingsError where this process has no site yet and its settings have a mistake
 */
export function getSite(context: AppLoadContext): SiteContext {
  return context.site ?? (defaultSite ??= createSiteContext(parseSettings(process.env)));
}
