import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findFreePort } from "../support/free-port";
import { makeDataDir } from "../support/site-folder";
import { type Product, startProduct } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { hasCaddy, startRepositoryCaddy, stopProgram } from "./support/proxy-programs";

const polling = { timeout: 60_000, interval: 100 };

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
}

describe.skipIf(!hasCaddy)(
  "deploy/Caddyfile, by this machine's Caddy and its own authority (skipped without Caddy)",
  () => {
    let site: Product;
    let caddy: ChildProcess;
    let http: number;
    let https: number;
    let ca: string;

    beforeAll(async () => {
      [http, https] = [await findFreePort(), await findFreePort()];
      const siteUrl = `https://localhost:${https}`;
      site = await startProduct({ SITE_URL: siteUrl, TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "2" });
      const folder = await makeDataDir();
      const environment = { SITE_URL: siteUrl, UPSTREAM: new URL(site.url).host };
      caddy = await startRepositoryCaddy(folder, environment, { options: `http_port ${http}\nhttps_port ${https}` });
      const root = join(folder, "caddy/pki/authorities/local/root.crt");
      ca = await vi.waitFor(() => readFile(root, "utf8"), polling);
      await vi.waitFor(() => get("/healthz"), polling);
    });
    afterAll(async () => {
      await stopProgram(caddy);
      await site.stop();
    });

    async function get(
      path: string,
      headers: Record<string, string> = {},
      form?: Record<string, string>,
      localAddress = "127.0.0.1",
    ): Promise<Answer> {
      const body = form && new URLSearchParams(form).toString();
      const sent = httpsRequest({
        host: "127.0.0.1",
        localAddress,
        port: https,
        servername: "localhost",
        ca,
        path,
        method: body === undefined ? "GET" : "POST",
        headers: {
          Host: `localhost:${https}`,
          ...(body === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" }),
          ...headers,
        },
      });
      sent.end(body);
      return readResponse(sent);
    }

    it("redirects http to https", async () => {
      const sent = httpRequest({ host: "127.0.0.1", port: http, path: "/about?a=b", headers: { Host: "localhost" } });
      sent.end();
      const { status, headers } = await readResponse(sent);
      // Caddy redirects to the default HTTPS port, 443, regardless of the port that it listens on.
      expect([status, headers.location]).toEqual([308, "https://localhost/about?a=b"]);
    });

    it("passes on every header of the site, including HSTS", async () => {
      const { status, headers } = await get("/about");
      expect(status).toBe(200);
      expect(headers["strict-transport-security"]).toMatch(/^max-age=\d{8}/);
      for (const name of [
        "content-security-policy",
        "x-content-type-options",
        "x-frame-options",
        "referrer-policy",
        "cross-origin-opener-policy",
        "cross-origin-resource-policy",
        "permissions-policy",
      ])
        expect(headers[name], name).toEqual(expect.any(String));
      expect((await get("/about", { "Accept-Encoding": "br" })).headers["content-encoding"]).toBe("br");
    });

    it("passes the real client address on, regardless of a forged header", async () => {
      const origin = `https://localhost:${https}`;
      const send = async (i: number, from = "127.0.0.1") =>
        (await get("/contact", { Origin: origin, "X-Forwarded-For": `203.0.113.${i}` }, filledContactForm, from))
          .status;
      // Three clients to a site that trusts the header, one client over its limit to a site that does not.
      expect([await send(1), await send(2), await send(3)]).toEqual([303, 303, 429]);
      // A different client, instead of Caddy itself once more.
      expect(await send(3, "127.0.0.2")).toBe(303);
    });
  },
);

async function readResponse(sent: ReturnType<typeof httpRequest>): Promise<Answer> {
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  await text(response);
  return { status: response.statusCode ?? 0, headers: response.headers };
}
