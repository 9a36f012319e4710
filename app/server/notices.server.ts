import { createHmac, timingSafeEqual } from "node:crypto";
import { type Message, type MessageKey, describeMailWait, messages } from "~/content/messages";
import { lastingNotices, noticeParameter } from "~/lib/pages/notice-parameter";
import type { HasHeaders } from "~/lib/http/header-reader";
import { isFromOwnPage } from "~/lib/http/same-origin";
import type { Secrets } from "./config/secrets.server";
import type { Settings } from "./config/settings.server";

/** A message in a URL. */
export interface UrlNotice {
  key: MessageKey;
  message: Message;
  /** True right after the redirect, and false after a later reload or Back. */
  isFresh: boolean;
  /** time of the redirect, in milliseconds since 1970; null for a notice that is always true */
  at: number | null;
  /** the most hours until a promised mail goes; 0 when it need not wait */
  hours: number;
}

/**
 * Messages in the URL to which a form's response redirects. They need no cookie, and no other tab or page can consume
 * them. The URL holds the key of a known message, its time, and a signature over both and the address. So an attacker
 * cannot write a message, and a bookmark does not repeat one permanently. An attacker who passes on a URL of their own
 * reaches no one either: a message counts for the browser that comes from one of our own pages.
 */
export interface Notices {
  /**
   * Adds a message.
   * @param address path on this site, with its query and fragment
   * @param hours the most until a promised mail goes; its message says so
   */
  addTo(address: string, key: MessageKey, hours?: number): string;
  /**
   * Finds the message of an address, no matter who opens it; null if it has none, or one that is forged, expired or for
   * another address.
   */
  find(address: string): UrlNotice | null;
  /**
   * Finds the message for the person who opens an address. For one that may have been passed on, returns `formReceived`
   * instead of the message about a sent form, and null instead of others.
   */
  findFor(request: { url: string } & HasHeaders): UrlNotice | null;
}

/** Visitors may return to a tab that their phone has suspended; admins reload their lists. */
const lifetimeSeconds = { visitors: 60 * 60, admins: 60 };
const freshSeconds = 20;
/** The clocks of processes that share a secret may differ by this much. */
const clockDifferenceSeconds = 30;
const tokenShape = /^(\w{1,40}?)(?:-(\d{1,4}))?\.([0-9a-z]{1,8})\.([\w-]{22})$/;

/** Creates the notices of a site. */
export function createNotices(
  secrets: Pick<Secrets, "derive">,
  { siteUrl, siteUrlIsExplicit }: Pick<Settings, "siteUrl" | "siteUrlIsExplicit">,
  now: () => number = Date.now,
): Notices {
  const sign = (address: string, key: string, time: string) =>
    createHmac("sha256", secrets.derive("notices"))
      .update(`${address}\n${key}\n${time}`)
      .digest("base64url")
      // 132 bits.
      .slice(0, 22);
  const seconds = () => Math.floor(now() / 1000);
  const isOwn = ({ headers }: HasHeaders) => isFromOwnPage(headers, siteUrlIsExplicit ? siteUrl : null);
  const notices: Notices = {
    addTo(address, key, hours = 0) {
      if (isLasting(key) && lastingNotices[key].startsWith(`${address}?`)) return lastingNotices[key];
      const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(.*)$/s.exec(address) ?? [];
      const time = seconds().toString(36);
      const name = hours === 0 ? key : `${key}-${hours}`;
      const token = `${name}.${time}.${sign(withoutNotice(path + query), name, time)}`;
      return `${path}${query === "" ? "?" : `${query}&`}${noticeParameter}=${token}${fragment}`;
    },
    find(address) {
      const { pathname, search, searchParams } = new URL(address, base);
      if (!search.includes(`${noticeParameter}=`)) return null;
      const token = searchParams.get(noticeParameter) ?? "";
      if (isLasting(token) && lastingNotices[token] === `${pathname}?${noticeParameter}=${token}`)
        return { key: token, message: messages[token], isFresh: false, at: null, hours: 0 };
      const [, key = "", delay, time = "", signature = ""] = tokenShape.exec(token) ?? [];
      const name = delay === undefined ? key : `${key}-${delay}`;
      if (!isMessage(key)) return null;
      const sentAt = parseInt(time, 36);
      const age = seconds() - sentAt;
      const lifetime = /^\/admin(?:\/|$)/.test(pathname) ? lifetimeSeconds.admins : lifetimeSeconds.visitors;
      if (age > lifetime || age < -clockDifferenceSeconds) return null;
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(withoutNotice(address), name, time)))) return null;
      const hours = Number(delay ?? 0);
      return { key, message: addWait(key, hours), isFresh: age <= freshSeconds, at: sentAt * 1000, hours };
    },
    findFor(request) {
      const notice = notices.find(request.url);
      if (notice === null || notice.at === null || decidedByState.has(notice.key) || isOwn(request)) return notice;
      if (!ofSentForms.has(notice.key)) return null;
      return { key: "formReceived", message: messages.formReceived, isFresh: false, at: null, hours: 0 };
    },
  };
  return notices;
}

const base = "http://site";

/** Adds how long the promised mail may take, unless the page below says so. */
function addWait(key: MessageKey, hours: number): Message {
  const message = messages[key];
  if (hours === 0 || key === "contactSentJoining" || key === "dataRightsSent") return message;
  return { ...message, text: `${message.text} ${describeMailWait(hours)}` };
}

/** Returns path and query as a browser sends them, without the notice. */
function withoutNotice(address: string): string {
  const { pathname, search } = new URL(address, base);
  return `${pathname}?${search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !part.startsWith(`${noticeParameter}=`))
    .join("&")}`;
}

/** Messages about forms that their senders would send again if they read nothing. */
const ofSentForms: ReadonlySet<MessageKey> = new Set([
  "contactSent",
  "contactSentJoining",
  "dataRightsSent",
  "complaintSent",
  "networkLinkSent",
  "passwordLinkSent",
]);
/** Messages that need not come from our own page, because the visitor's session decides (`findMessage`). */
const decidedByState: ReadonlySet<MessageKey> = new Set(["notAdmin"]);

const isMessage = (key: string): key is MessageKey => Object.hasOwn(messages, key);
const isLasting = (key: string): key is keyof typeof lastingNotices => Object.hasOwn(lastingNotices, key);
