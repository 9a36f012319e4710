import { once } from "node:events";
import { type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What a call of `record_consent` carries. */
export type RecordedConsent = Record<string, string | boolean | null>;

/** A Supabase project that can be away and come back: as much of it as keeping consent needs. */
export interface ConsentBackend {
  /** settings that let a product use it */
  settings: Record<string, string>;
  /** every call of `record_consent`, answered or not, oldest first */
  calls: RecordedConsent[];
  /** from now on: 503, silence, a closed door's hang-up, or a proper answer */
  become(state: "away" | "silent" | "hanging up" | "there"): void;
  close(): void;
}

/** Words of an error that quotes what it was sent, as errors of a database do. */
export const quotedTrouble = "trouble with the visitor's own words";

/** Starts it away. */
export async function startConsentBackend(): Promise<ConsentBackend> {
  let state: Parameters<ConsentBackend["become"]>[0] = "away";
  const calls: RecordedConsent[] = [];
  const server: Server = createServer(async (request, response) => {
    const body = await text(request).catch(() => "");
    if (request.url === "/rest/v1/rpc/record_consent") calls.push(JSON.parse(body) as RecordedConsent);
    if (state === "there") response.writeHead(204).end();
    else if (state === "hanging up") request.socket.destroy();
    else if (state === "away") answerUnavailable(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    settings: {
      SUPABASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test",
      SESSION_SECRET: "a secret of at least 32 characters",
    },
    calls,
    become: (next) => void (state = next),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answerUnavailable(response: ServerResponse): void {
  response
    .writeHead(503, { "Content-Type": "application/json" })
    .end(JSON.stringify({ code: "PGRST002", message: quotedTrouble, details: quotedTrouble, hint: null }));
}
