import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { HeaderReader } from "~/lib/http/header-reader";

/** One form of a page that is kept. */
export interface PageVariant {
  name: string;
  /** of a request that gets it; they hold nothing of any person */
  readonly headers: Record<string, string>;
}

/** What a request gets from memory. */
export interface PageChoice {
  variant: PageVariant;
  /** `Set-Cookie` values that go with the page, to this visitor alone */
  setCookies: readonly string[];
  /** work before the page is sent, of a moment at most; resolves to more `Set-Cookie` values */
  prepare?: () => Promise<readonly string[]>;
}

/** A request for a page, as far as the page may depend on it. */
export interface PageRequest {
  method: string;
  path: string;
  /** with its question mark; empty where there is none */
  query: string;
  headers: HeaderReader;
  /** that was asked for, with its port */
  readonly host: string;
  /** that was asked for, path and query: cookies may have been set for the folder of a page that is no longer there */
  readonly address: string;
  /** of the socket's other end */
  readonly peerAddress: string;
}

/** Decides what a request gets; null when the page must be rendered for this request alone. */
export type FindPageVariant = (request: PageRequest) => PageChoice | null;

/** Whether a request has none of the headers by which a page's variant is found. */
export function saysNothing({ headers }: IncomingMessage): boolean {
  return headers.cookie === undefined && headers.dnt === undefined && headers["sec-gpc"] === undefined;
}

/** @param page the path of the page that is answered with @param query with its question mark; empty where there is none */
export function readRequest(page: string, query: string, request: IncomingMessage): PageRequest {
  return new ReadRequest(page, query, request);
}

/** A class, since one is made for most visitors: an object with a getter of its own takes ten times as long. */
class ReadRequest implements PageRequest, HeaderReader {
  readonly method: string;
  readonly address: string;
  readonly #headers: IncomingHttpHeaders;
  readonly #socket: IncomingMessage["socket"];

  constructor(
    readonly path: string,
    readonly query: string,
    { method = "GET", url = "", headers, socket }: IncomingMessage,
  ) {
    this.method = method;
    this.address = url;
    this.#headers = headers;
    this.#socket = socket;
  }

  get headers(): HeaderReader {
    return this;
  }

  get(name: string): string | null {
    const value = this.#headers[name];
    return typeof value === "string" ? value : null;
  }

  get host(): string {
    return this.#headers.host ?? "";
  }

  get peerAddress(): string {
    return this.#socket.remoteAddress ?? "";
  }
}
