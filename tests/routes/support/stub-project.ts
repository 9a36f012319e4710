import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Handles one call to a project; it may leave the call without a response. */
export type Answering = (call: ReceivedCall, response: ServerResponse, request: IncomingMessage) => void;

/** One call as it arrived. */
export interface ReceivedCall {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A real server on the loopback address in place of a Supabase project, with the responses that a test chooses. */
export interface StubProject {
  /** settings that connect a product to it */
  settings: Record<string, string>;
  /** every call, with or without a response, oldest first */
  calls: ReceivedCall[];
  become(answering: Answering): void;
  /** resolves when the port is closed */
  close(): Promise<void>;
}

/** Starts a stub project. */
export async function startStubProject(first: Answering): Promise<StubProject> {
  let answering = first;
  const calls: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => "");
    const call = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
    calls.push(call);
    answering(call, response, request);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    settings: {
      SUPABASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test",
      SESSION_SECRET: "a secret of at least 32 characters",
    },
    calls,
    become: (next) => void (answering = next),
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, "close");
    },
  };
}

/** Never responds. */
export const hang: Answering = () => {};

/** Accepts the connection and drops it. */
export const hangUp: Answering = (_call, _response, request) => void request.socket.destroy();

/** Responds with a page, like a foreign server at the project's address. */
export function answerPage(status: number, page: string): Answering {
  return (_call, response) => void response.writeHead(status).end(page);
}

/** Responds with JSON. */
export function answerJson(status: number, body: unknown): Answering {
  return (_call, response) =>
    void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
