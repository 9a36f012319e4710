import type { IncomingMessage } from "node:http";
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
}

/** A request for a page, as far as the page may depend on it. */
export interface PageRequest {
  method: string;
  path: string;
  /** with its question mark; empty where there is none */
  query: string;
  headers: HeaderReader;
  /** absolute, with the host that cookies belong to */
  readonly url: string;
}

/** Decides what a request gets; null when the page must be rendered for this request alone. */
export type FindPageVariant = (request: PageRequest) => PageChoice | null;

/** Whether a request has none of the headers by which a page's variant is found. */
export function saysNothing({ headers }: IncomingMessage): boolean {
  return headers.cookie === undefined && headers.dnt === undefined && headers["sec-gpc"] === undefined;
}

/** @param siteUrl origin of this site, where the operator has set it; else the request's host counts */
export function readRequest(
  path: string,
  query: string,
  request: IncomingMessage,
  siteUrl: string | null,
): PageRequest {
  return new ReadRequest(path, query, request, siteUrl);
}

/** A class, since one is made for most visitors: an object with a getter of its own takes ten times as long. */
class ReadRequest implements PageRequest, HeaderReader {
  readonly #request: IncomingMessage;
  readonly #siteUrl: string | null;

  constructor(
    readonly path: string,
    readonly query: string,
    request: IncomingMessage,
    siteUrl: string | null,
  ) {
    this.#request = request;
    this.#siteUrl = siteUrl;
  }

  get method(): string {
    return this.#request.method ?? "GET";
  }

  get headers(): HeaderReader {
    return this;
  }

  get(name: string): string | null {
    const value = this.#request.headers[name];
    return typeof value === "string" ? value : null;
  }

  get url(): string {
    // As it was asked for: cookies may have been set for the folder of a page that is no longer there.
    return (this.#siteUrl ?? `http://${this.#request.headers.host}`) + this.#request.url;
  }
}
