import { countOf } from "~/lib/count-of";
import { securityHeaders } from "../../../document/security-headers.server";
import { type Finding, type Installation, fix, lookAt, notChecked, ok } from "../finding.server";
import { type Certificate, type Visit, codeOf, visit } from "./visit.server";

const dayMs = 24 * 60 * 60 * 1000;
/** A page that the server keeps in memory, so that everyone without a cookie gets the same bytes. */
export const comparedPath = "/about";

/** Visits SITE_URL as the internet does, by https, http and its `www` twin, and follows no redirect. */
export async function checkOutside(installation: Installation): Promise<Finding[]> {
  const { settings } = installation;
  if (!settings.isPublic)
    return [
      notChecked("outside", "SITE_URL is not a public address.", "Set SITE_URL to the address that visitors type."),
    ];
  const findings = await Promise.all([checkSite(installation), checkHttp(installation), checkTwin(installation)]);
  return findings.flat();
}

async function checkSite({ settings, outside }: Installation): Promise<Finding[]> {
  const name = "SITE_URL";
  try {
    const seen = await visit(new URL(comparedPath, settings.siteUrl), { "Accept-Encoding": "identity" }, outside);
    return [
      ...(seen.certificate ? [judgeCertificate(seen.certificate)] : []),
      judgePage(seen, settings.siteUrl),
      // Another program's response has its own headers.
      ...(settings.isHttps && seen.status === 200
        ? [judgeHsts(seen, securityHeaders(settings)["Strict-Transport-Security"] ?? "")]
        : []),
    ];
  } catch (error) {
    const remedy =
      "Check its DNS, the firewall and the proxy. If this machine cannot reach itself by that name, run this elsewhere.";
    return [lookAt(name, `${settings.siteUrl} does not respond (${codeOf(error)}).`, remedy)];
  }
}

function judgePage({ status, headers }: Visit, siteUrl: string): Finding {
  const name = "SITE_URL";
  const [location] = headers.location ?? [];
  if (status === 200) return ok(name, `${siteUrl} serves the page.`);
  if (status >= 300 && status < 400)
    return fix(
      name,
      `${siteUrl} redirects to ${originOf(location, siteUrl)}.`,
      "Make that SITE_URL, or remove the redirect: docs/operations/proxy.md, “One address”.",
    );
  return lookAt(name, `${siteUrl} returned ${status}.`, "Check the proxy's log, then the site's.");
}

function judgeCertificate({ from, until, fault }: Certificate): Finding {
  const name = "certificate";
  const days = Math.floor((until - Date.now()) / dayMs);
  if (fault !== null) return fix(name, `Browsers reject it (${fault}).`, "Let the proxy renew it, for every name.");
  // Certificates that live for days only are renewed within the last third of their life.
  const isLate = until - Date.now() < Math.min(14 * dayMs, (until - from) / 5);
  const text = `It is valid for ${countOf(days, "more day")}.`;
  return isLate ? lookAt(name, text, "Check why the proxy has not renewed it.") : ok(name, text);
}

function judgeHsts({ headers }: Visit, wanted: string): Finding {
  const found = headers["strict-transport-security"] ?? [];
  if (found.length === 1 && found[0] === wanted) return ok("HSTS", `It is sent as set (${wanted}).`);
  const text = found.length === 0 ? "The header does not arrive." : `The proxy sends another: ${found.join(" and ")}.`;
  return lookAt("HSTS", text, "Let the proxy pass on the site's header, and add none.");
}

async function checkHttp({ settings, outside }: Installation): Promise<Finding[]> {
  const { host, port } = new URL(settings.siteUrl);
  if (!settings.isHttps || port !== "") return [];
  const name = "http";
  const remedy = "Let the proxy redirect port 80 to https.";
  try {
    const { status, headers } = await visit(new URL(`http://${host}${comparedPath}`), {}, outside);
    return [judgeRedirect(name, { status, location: headers.location?.[0] }, settings.siteUrl, remedy)];
  } catch (error) {
    return [lookAt(name, `http://${host} does not respond (${codeOf(error)}).`, remedy)];
  }
}

/** The same site with or without `www.`. */
async function checkTwin({ settings, outside }: Installation): Promise<Finding[]> {
  const url = new URL(comparedPath, settings.siteUrl);
  const isWww = url.hostname.startsWith("www.");
  // Visitors add `www.` to a domain, rarely to a name below one.
  if (!isWww && url.hostname.split(".").length !== 2) return [];
  url.hostname = isWww ? url.hostname.slice(4) : `www.${url.hostname}`;
  const name = url.hostname;
  const remedy = `Point ${name} to the proxy, with a certificate: docs/operations/proxy.md, “One address”.`;
  try {
    const { status, headers, certificate } = await visit(url, {}, outside);
    if (certificate?.fault) return [fix(name, `Browsers reject its certificate (${certificate.fault}).`, remedy)];
    return [judgeRedirect(name, { status, location: headers.location?.[0] }, settings.siteUrl, remedy)];
  } catch (error) {
    return [lookAt(name, `It does not respond (${codeOf(error)}), and visitors may type it.`, remedy)];
  }
}

function judgeRedirect(
  name: string,
  { status, location }: { status: number; location: string | undefined },
  siteUrl: string,
  remedy: string,
): Finding {
  if (status < 300 || status >= 400) return lookAt(name, `It returns ${status} in place of a redirect.`, remedy);
  const target = originOf(location, siteUrl);
  return target === siteUrl
    ? ok(name, `It redirects to ${siteUrl}.`)
    : lookAt(name, `It redirects to ${target}, not to ${siteUrl}.`, remedy);
}

/** Returns the origin of a redirect; a path may hold anything. */
function originOf(location: string | undefined, base: string): string {
  return location !== undefined && URL.canParse(location, base) ? new URL(location, base).origin : "nowhere";
}
