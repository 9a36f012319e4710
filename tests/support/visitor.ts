import type { cookies } from "~/content/cookie-registry";
import { testAdmin } from "./product";

/** Names of the site's cookies. A long session has several. */
type OwnName = (typeof cookies)[keyof typeof cookies]["name"] | `${typeof cookies.adminSession.name}.${number}`;

/** A name from a list may be any; one that a test spells out must be a cookie of the site. */
type CookieName<Name extends string> = string extends Name ? string : OwnName | `__Host-${OwnName}` | `_ga_${string}`;

/** A completed contact form. */
export const filledContactForm = {
  name: "Grace Hopper",
  email: "grace@harbor.example",
  company: "Harbor Clinics",
  stage: "Growth stage",
  goal: "Automate intake",
  message: "We run nine clinics.\nCan we talk?",
  topic: "",
  privacyConsent: "on",
};

/** A response with its body read. */
export interface Answer {
  status: number;
  headers: Headers;
  html: string;
}

/** A browser without scripts, reduced to forms and cookies: it stores cookies and follows no redirect by itself. */
export class Visitor {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly origin: string) {}

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send(path, { headers });
  }

  /**
   * Posts a form like a browser, with an Origin header unless the test gives another.
   * @param fields by name, as pairs if a name has several values, or as a multipart form
   */
  post(
    path: string,
    fields: Record<string, string> | [name: string, value: string][] | FormData,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.send(path, {
      method: "POST",
      headers: { Origin: this.origin, ...headers },
      body: fields instanceof FormData ? fields : new URLSearchParams(fields),
    });
  }

  /** Posts a form and opens the page that it redirects to. */
  async postAndFollow(path: string, fields: Record<string, string>): Promise<Answer> {
    return this.follow(await this.post(path, fields));
  }

  /** Opens the page that a form's response redirects to, and says so as browsers do. */
  follow({ status, headers }: Answer): Promise<Answer> {
    const location = headers.get("location");
    if (status !== 303 || !location) throw new Error(`expected a 303 redirect, got ${status}`);
    return this.get(location, { "Sec-Fetch-Site": "same-origin" });
  }

  signIn(credentials = testAdmin): Promise<Answer> {
    return this.post("/login", credentials);
  }

  cookie<Name extends string>(name: Name & CookieName<Name>): string | undefined {
    return this.cookies.get(name);
  }

  setCookie<Name extends string>(name: Name & CookieName<Name>, value: string): void {
    this.cookies.set(name, value);
  }

  private async send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(this.origin + path, {
      ...init,
      redirect: "manual",
      headers: { ...init.headers, ...(cookie ? { Cookie: cookie } : {}) },
    });
    for (const line of response.headers.getSetCookie()) this.keepCookie(line);
    return { status: response.status, headers: response.headers, html: await response.text() };
  }

  private keepCookie(line: string): void {
    const [pair = "", ...attributes] = line.split("; ");
    const [name = "", value = ""] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
    if (attributes.some((attribute) => attribute.toLowerCase() === "max-age=0")) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** Returns the address of a redirect without its notice. */
export function leadsTo({ headers }: { headers: Headers }): string | null {
  return headers.get("location")?.replace(noticeInAddress, "") ?? null;
}

/** Returns the key of the notice in a redirect's address; null for none. */
export function noticeOf({ headers }: { headers: Headers }): string | null {
  return noticeInAddress.exec(headers.get("location") ?? "")?.[1] ?? null;
}

const noticeInAddress = /[?&]notice=(\w+)[^&#]*/;

/** Returns the visible words of a page: no tags, entities resolved, white space folded. */
export function readText(html: string): string {
  return html
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/g, " ")
    .replace(/<\/?bdi>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ");
}
