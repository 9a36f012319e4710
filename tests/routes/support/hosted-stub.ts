import { once } from "node:events";
import { type RequestListener, type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A Supabase project elsewhere: a real server that answers as a test wants. */
export interface HostedStub {
  /** settings that let a product use it */
  settings: Record<string, string>;
  /** paths with queries that were asked for, in order */
  asked: string[];
  close(): void;
}

/** Starts one on a free port. */
export async function startHostedStub(listener: RequestListener): Promise<HostedStub> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? "");
    listener(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    settings: {
      SUPABASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test",
      SESSION_SECRET: "a secret of at least 32 characters",
    },
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
