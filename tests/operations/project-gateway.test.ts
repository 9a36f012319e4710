import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, vi } from "vitest";
import { findFreePort } from "../support/free-port";
import { makeDataDir } from "../support/site-folder";
import { readSettingsFile } from "../support/stack/unit";
import { requestFront } from "./support/front";
import { hasCaddy, startCaddy, stopProgram } from "./support/proxy-programs";

const call = (port: number, headers: Record<string, string>) =>
  requestFront({ http: port, https: 0 }, `http://localhost:${port}/auth/v1/token`, headers);

it.skipIf(!hasCaddy)(
  "tells Supabase Auth the address of callers on other machines (skipped without Caddy)",
  async () => {
    const received: IncomingHttpHeaders[] = [];
    const auth = createServer(({ headers }, response) => {
      received.push(headers);
      response.end();
    });
    await once(auth.listen(0, "127.0.0.1"), "listening");
    const [gateway, outside] = [await findFreePort(), await findFreePort()];
    const ports = { GATEWAY_PORT: String(gateway), AUTH_PORT: String((auth.address() as AddressInfo).port) };
    const file = await readFile("deploy/self-hosted/Caddyfile", "utf8");
    // As docs/operations/self-hosted.md says for other machines.
    const others = `http://localhost:${outside} {\n\treverse_proxy 127.0.0.1:${gateway}\n}\n`;
    const caddy = await startCaddy(await makeDataDir(), file + others, ports);
    await vi.waitFor(() => call(outside, {}), { timeout: 60_000, interval: 100 });
    received.length = 0;

    await call(outside, { "X-Forwarded-For": "203.0.113.7", "Project-Client": "203.0.113.7" });
    await call(gateway, { "Project-Client": "203.0.113.7" });
    const { GOTRUE_RATE_LIMIT_HEADER: name = "" } = await readSettingsFile("deploy/self-hosted/auth.env");
    // Supabase Auth does not limit requests with an empty header.
    expect(received.map((headers) => headers[name.toLowerCase()])).toEqual(["127.0.0.1", ""]);
    await stopProgram(caddy);
    auth.close();
  },
);
