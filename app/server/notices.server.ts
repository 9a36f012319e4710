import { createHmac, timingSafeEqual } from "node:crypto";
import { type Message, type MessageKey, messages } from "~/content/messages";
import { lastingNotices, noticeParameter } from "~/lib/pages/notice-parameter";
import type { Secrets } from "./config/secrets.server";

/** A message in a URL. */
export interface UrlNotice {
  key: MessageKey;
  message: Message;
  /** True right after the redirect, and false after a later reload or Back. */
  isFresh: boolean;
  /** time of the redirect, in milliseconds since 1970; null for a notice that is always true */
  at: number | null;
}

/**
 * Messages in the URL to which a form's response redirects. They need no cookie, and no other tab or page can consume
 * them. The URL holds the key of a known message, its time, and a signature over both and the path. So an attacker
 * cannot make a page claim that something was sent, deleted or changed, and a bookmark does not repeat a message
 * permanently.
 */
export interface Notices {
  /** Adds a message. @param address path on this site, with its query and fragment */
  addTo(address: string, key: MessageKey): string;
  /** Finds the message of an address; null if it has none, or one that is forged, expired or for another page. */
  find(address: string): UrlNotice | null;
}

/** Visitors may return to a tab that their phone has suspended; admins reload their lists. */
const lifetimeSeconds = { visitors: 60 * 60, admins: 60 };
const freshSeconds = 20;
/** The clocks of processes that share a secret may differ by this much. */
const clockDifferenceSeconds = 30;
const tokenShape = /^(\w{1,40})\.([0-9a-z]{1,8})\.([\w-]{16})$/;

/** Creates the notices of a site. */
export function createNotices(secrets: Pick<Secrets, "derive">, now: () => number = Date.now): Notices {
  const sign = (path: string, key: string, time: string) =>
    createHmac("sha256", secrets.derive("notices")).update(`${path}\n${key}\n${time}`).digest("base64url").slice(0, 16);
  const seconds = () => Math.floor(now() / 1000);
  return {
    addTo(address, key) {
      if (isLasting(key) && lastingNotices[key].startsWith(`${address}?`)) return lastingNotices[key];
      const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(.*)$/s.exec(address) ?? [];
      const time = seconds().toString(36);
      const token = `${key}.${time}.${sign(path, key, time)}`;
      return `${path}${query === "" ? "?" : `${query}&`}${noticeParameter}=${token}${fragment}`;
    },
    find(address) {
      const { pathname, search, searchParams } = new URL(address, "http://site");
      if (!search.includes(`${noticeParameter}=`)) return null;
      const token = searchParams.get(noticeParameter) ?? "";
      if (isLasting(token) && lastingNotices[token] === `${pathname}?${noticeParameter}=${token}`)
        return { key: token, message: messages[token], isFresh: false, at: null };
      const [, key = "", time = "", signature = ""] = tokenShape.exec(token) ?? [];
      if (!isMessage(key)) return null;
      const sentAt = parseInt(time, 36);
      const age = seconds() - sentAt;
      const lifetime = /^\/admin(?:\/|$)/.test(pathname) ? lifetimeSeconds.admins : lifetimeSeconds.visitors;
      if (age > lifetime || age < -clockDifferenceSeconds) return null;
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(pathname, key, time)))) return null;
      return { key, message: messages[key], isFresh: age <= freshSeconds, at: sentAt * 1000 };
    },
  };
}

const isMessage = (key: string): key is MessageKey => Object.hasOwn(messages, key);
const isLasting = (key: string): key is keyof typeof lastingNotices => Object.hasOwn(lastingNotices, key);
