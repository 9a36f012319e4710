import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { callFunction } from "#supabase/embedded/functions";
import { runWithHost } from "#supabase/functions/_shared/host/runtime";
import { type HostedSite, startHostedSite } from "../../functions/support/hosted-site";
import { startProxy } from "../../support/stack/proxy";

const functions = {
  "send-contact-email": () => import("#supabase/functions/send-contact-email/index"),
  "receive-data-rights-request": () => import("#supabase/functions/receive-data-rights-request/index"),
  "bootstrap-admin": () => import("#supabase/functions/bootstrap-admin/index"),
  "second-factor": () => import("#supabase/functions/second-factor/index"),
  "account-links": () => import("#supabase/functions/account-links/index"),
  "network-link": () => import("#supabase/functions/network-link/index"),
  "deliver-outbox": () => import("#supabase/functions/deliver-outbox/index"),
  "report-counts": () => import("#supabase/functions/report-counts/index"),
  "record-consent": () => import("#supabase/functions/record-consent/index"),
};

/** A self-hosted project: PostgreSQL, PostgREST, and the functions in Node behind two gateways. */
export interface Project {
  hosted: HostedSite;
  /** gateway that returns 404 for unknown paths */
  url: string;
  /** gateway without three of the functions, which returns an empty 200 for them, like Caddy without `respond 404` */
  gappyUrl: string;
  databaseUrl: string;
  close(): Promise<void>;
}

/** Starts a project. @param siteKey secret of its functions */
export async function startProject(siteKey: string): Promise<Project> {
  const hosted = await startHostedSite();
  const { rest, postgres } = hosted.backend;
  const secrets: Record<string, string> = {
    SUPABASE_URL: hosted.url,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: rest.secretKey }),
    SITE_KEY: siteKey,
  };
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const headers = new Headers(incoming.headers as Record<string, string>);
    const { method } = incoming;
    const request = new Request(`http://functions.localhost${incoming.url}`, {
      method,
      headers,
      body: method === "POST" ? body : null,
    });
    const response = await runWithHost({ setting: (name) => secrets[name] }, () =>
      callFunction(functions, request, () => {}),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The authentication service stands in for the project's own, and has other keys.
  const ofPeople = { origin: hosted.url, headers: { apikey: hosted.people.embedded.publishableKey } };
  const toPart = (url: string) => {
    if (url.startsWith("/functions/")) return [{ origin }];
    return [url.startsWith("/auth/") ? ofPeople : { origin: hosted.url }];
  };
  const [gateway, gappy] = await Promise.all([
    startProxy(0, ({ url = "" }) => toPart(url)),
    startProxy(
      0,
      ({ url = "" }) => (/second-factor|report-counts|record-consent/.test(url) ? [] : toPart(url)),
      "empty-200",
    ),
  ]);
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
