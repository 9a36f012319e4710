import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { lookup } from "node:dns/promises";
import { join } from "node:path";
import { countOf } from "~/lib/count-of";
import { z } from "zod";
import { isPrivateAddress } from "~/lib/http/client-address";
import { makeEchoPath } from "../../../config/echo-path.server";
import { hopWarnings } from "../../../config/setup-warnings.server";
import { createSecrets } from "../../../config/secrets.server";
import { securityHeaders } from "../../../document/security-headers.server";
import { type Finding, type Installation, fix, lookAt, notYet, ok } from "../finding.server";
import { isSameVersion, readJson } from "../local-server.server";
import { comparedPath } from "./outside-checks.server";
import { type Visit, codeOf, visit } from "./visit.server";

const echoSchema = z.object({
  hops: z.number(),
  mismatch: z.enum(["ignored", "fewer", "more", "cdn"]).nullable(),
  version: z.string(),
  texts: z.string().optional(),
});
type Echo = z.output<typeof echoSchema>;

/** Checks the proxies in front: how many there are, and whether they change pages or headers. */
export async function checkProxies(installation: Installation): Promise<Finding[]> {
  const { settings } = installation;
  if (!settings.isPublic) return [];
  try {
    const page = await visit(new URL(comparedPath, settings.siteUrl), {}, installation.outside);
    if (page.status !== 200) return [await describeBlocked(installation, `SITE_URL returned ${page.status}.`)];
    const path = findEchoPath(settings);
    const echoes: Echo[] = [];
    for (let count = 0; count < visits; count++) {
      if (path === null) break;
      const seen = await visit(new URL(path, settings.siteUrl), {}, installation.outside);
      // A server with another key has no such page. Any other status, as of a busy server, does not tell.
      if (seen.status !== 200 && seen.status !== 404)
        return [await describeBlocked(installation, `SITE_URL returned ${seen.status}.`)];
      const { data } = echoSchema.safeParse(readJson(seen));
      if (data !== undefined) echoes.push(data);
    }
    const [echo = null] = echoes;
    const findings = [await judgeEcho(installation, echo), ...(await comparePages(installation, echo))];
    return echo === null ? findings : [...findings, compareServers(echoes)];
  } catch (error) {
    return [await describeBlocked(installation, `SITE_URL does not respond (${codeOf(error)}).`)];
  }
}

/** All checks of proxies depend on the page: another response says nothing of how many there are, or what they change. */
async function describeBlocked({ server }: Installation, text: string): Promise<Finding> {
  const { state, origin } = await server;
  const first = state === "up" ? `Let the proxy pass requests on to ${origin}` : "Start the server";
  return notYet("proxies", text, first, again);
}

const again = "doctor --from-outside";

/** Finds the path where the site tells how a request arrived. Null without its key. */
function findEchoPath(settings: Installation["settings"]): string | null {
  // The key would be created where it is missing, and this command changes nothing.
  if (settings.sessionSecret === undefined && !existsSync(join(settings.dataDir, "session-secret"))) return null;
  return makeEchoPath(createSecrets(settings).derive("echo"));
}

/** Asks more often than a site has servers: a proxy leads each request to the next one. */
const visits = 8;

/** Compares the servers behind SITE_URL: each has a data folder, so a copy of words or articles may be missing. */
function compareServers(echoes: readonly Echo[]): Finding {
  const name = "servers";
  if (echoes.length < visits)
    return fix(name, "Some of them do not know this site's key.", "Start all of them with one SESSION_SECRET.");
  const versions = new Set(echoes.map(({ version }) => version));
  if (versions.size > 1)
    return lookAt(name, `They run the versions ${[...versions].join(" and ")}.`, "Start one version on all of them.");
  return new Set(echoes.map(({ texts }) => texts)).size === 1
    ? ok(name, `${visits} visits found the same facts, words and articles.`)
    : fix(
        name,
        "They show different facts, words or articles.",
        "Copy the file of facts and the folders words and insights to each of them, and restart it for the facts.",
      );
}

async function judgeEcho({ settings, outside }: Installation, echo: Echo | null): Promise<Finding> {
  const name = "TRUSTED_PROXIES";
  if (echo === null)
    return notYet(
      name,
      "The server at SITE_URL does not know this site's key.",
      "Set DATA_DIR or SESSION_SECRET to that server's",
      again,
    );
  const { hops, mismatch } = echo;
  const seen = `The request brought ${countOf(hops, "address", "addresses")} in X-Forwarded-For`;
  if (mismatch === null) return ok(name, `${seen}, as set.`);
  const { text, see } = hopWarnings[mismatch];
  const remedy =
    mismatch === "ignored" || mismatch === "more"
      ? `Set TRUSTED_PROXIES=${hops} if all of them are yours. See ${see}.`
      : `See ${see}.`;
  // A shortcut to the site only leaves proxies out.
  const mayBeShortcut =
    mismatch === "fewer" && outside.locate(new URL(settings.siteUrl)) === null && (await isNear(settings.siteUrl));
  return (mayBeShortcut ? lookAt : fix)(
    name,
    `${seen}. ${text}`,
    mayBeShortcut ? `This machine may pass a CDN by: run this elsewhere. ${remedy}` : remedy,
  );
}

async function isNear(siteUrl: string): Promise<boolean> {
  const found = await lookup(new URL(siteUrl).hostname.replace(/^\[|\]$/g, "")).catch(() => null);
  return found === null || isPrivateAddress(found.address);
}

/** Compares a page as visitors get it with the same page from the server on this machine. */
async function comparePages({ settings, server, outside }: Installation, echo: Echo | null): Promise<Finding[]> {
  const name = "rewriting";
  const { origin, state } = await server;
  if (echo === null) return [];
  if (state !== "up" || origin === null)
    return [notYet(name, "The server does not run on this machine.", "Go to the machine where it runs", again)];
  if (!isSameVersion(echo.version)) {
    const text = `SITE_URL leads to version ${echo.version} of the site.`;
    return [notYet(name, text, "Restart that server with this version", again)];
  }
  const { host } = new URL(settings.siteUrl);
  const identity = { "Accept-Encoding": "identity" };
  const visitHere = () => visit(new URL(comparedPath, origin), { ...identity, Host: host });
  const before = await visitHere();
  const outsideVisit = await visit(new URL(comparedPath, settings.siteUrl), identity, outside);
  const after = await visitHere();
  if (before.status !== 200 || outsideVisit.status !== 200 || digest(before) !== digest(after))
    return [notYet(name, "The page is not the same twice.", "Wait a minute", again)];
  const changed = Object.keys(securityHeaders(settings))
    .map((header) => header.toLowerCase())
    .filter((header) => header !== "strict-transport-security")
    .filter((header) => String(outsideVisit.headers[header]) !== String(before.headers[header]));
  return [
    digest(before) === digest(outsideVisit)
      ? ok(name, "Pages arrive as the server sends them.")
      : fix(
          name,
          "A proxy changes pages on the way.",
          "Switch off its changes: minifying, scripts, hidden email addresses.",
        ),
    changed.length === 0
      ? ok("headers", "The security headers arrive as the server sends them.")
      : lookAt("headers", `A proxy changes or adds ${changed.join(", ")}.`, "Let it pass on the site's headers."),
  ];
}

function digest({ body }: Visit): string {
  return createHash("sha256").update(body).digest("hex");
}
