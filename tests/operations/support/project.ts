import { callFunction } from "#supabase/embedded/functions";
import { runWithHost } from "#supabase/functions/_shared/host/runtime";
import { edgeFunctions } from "~/server/backend/edge-functions.server";
import { startHostedSite } from "../../functions/support/hosted-site";
import { startFetchServer } from "../../support/stack/fetch-server";
import { startProxy } from "../../support/stack/proxy";

/** The secret that the project's functions share with their site. */
export const siteKey = "k".repeat(43);

/** Settings of a site with this project, which leave out those of an embedded backend. */
export function settingsOf({ hosted, url }: Project): Record<string, string> {
  return {
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEY: hosted.backend.rest.publishableKey,
    SESSION_SECRET: "s".repeat(32),
    SITE_KEY: siteKey,
    ADMIN_EMAIL: "",
    ADMIN_PASSWORD: "",
    BACKUP_EVERY: "",
    ACKNOWLEDGEMENTS_PER_HOUR: "",
  };
}

export type Project = Awaited<ReturnType<typeof startProject>>;

/**
 * Starts a project of parts: PostgreSQL, PostgREST, and the functions in Node behind two gateways.
 * @param settings secrets of its functions beside those of every project
 * @returns `gappyUrl`: of a gateway without three of the functions, which returns an empty 200 for them, like Caddy
 *   without `respond 404`
 */
export async function startProject(settings: Record<string, string> = {}) {
  const hosted = await startHostedSite();
  const { rest, postgres } = hosted.backend;
  const secrets: Record<string, string> = {
    SUPABASE_URL: hosted.url,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: rest.secretKey }),
    SITE_KEY: siteKey,
    ...settings,
  };
  const server = await startFetchServer((path, init) =>
    runWithHost({ setting: (name) => secrets[name] }, () =>
      callFunction(edgeFunctions, new Request(`http://functions.localhost${path}`, init), () => {}),
    ),
  );
  // The authentication service stands in for the project's own, and has other keys.
  const ofPeople = { origin: hosted.url, headers: { apikey: hosted.people.embedded.publishableKey } };
  const startGateway = (gaps?: RegExp) =>
    startProxy(
      0,
      ({ url = "" }) => {
        if (gaps?.test(url)) return [];
        if (url.startsWith("/functions/")) return [{ origin: server.url }];
        return [url.startsWith("/auth/") ? ofPeople : { origin: hosted.url }];
      },
      "empty-200",
    );
  const gateway = await startGateway();
  const gappy = await startGateway(/second-factor|report-counts|record-consent/);
  return {
    hosted,
    url: gateway.url,
    gappyUrl: gappy.url,
    databaseUrl: `postgresql://postgres@/${postgres.name}?host=${encodeURIComponent(postgres.socketDir)}`,
    close: async () => {
      gateway.close();
      gappy.close();
      server.close();
      await hosted.close();
    },
  };
}
