import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** How a project answers one call; it may leave it without an answer. */
export type Answering = (call: ReceivedCall, response: ServerResponse, request: IncomingMessage) => void;

/** One call as it came in. */
export interface ReceivedCall {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Something that answers, or does not, where a Supabase project should be: a real server on the loopback address. */
export interface StubProject {
  /** settings that let a product use it */
  settings: Record<string, string>;
  /** every call, answered or not, oldest first */
  calls: ReceivedCall[];
  become(answering: Answering): void;
  /** resolves when nobody listens any more */
  close(): Promise<void>;
}

/** Starts one. */
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

/** Never answers. */
export const hang: Answering = () => {};

/** Takes the connection and drops it. */
export const hangUp: Answering = (_call, _response, request) => void request.socket.destroy();

/** Answers with a page, as whatever stands where a project should be. */
export function answerPage(status: number, page: string): Answering {
  return (_call, response) => void response.writeHead(status).end(page);
}

/** Answers with JSON. */
export function answerJson(status: number, body: unknown): Answering {
  return (_call, response) =>
    void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
