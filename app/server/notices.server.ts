import { createHmac, timingSafeEqual } from "node:crypto";
import { type Message, type MessageKey, messages } from "~/content/messages";
import { lastingNotices, noticeParameter } from "~/lib/pages/notice-parameter";
import type { Secrets } from "./config/secrets.server";

/** A message that an address brings. */
export interface AddressedNotice {
  key: MessageKey;
  message: Message;
  /** The redirect that led here was sent just now; a reload or Back comes later. */
  isFresh: boolean;
}

/**
 * Messages that travel in the address to which a form's answer redirects. So they need no cookie, and neither another tab nor another
 * page can take them. The address holds the key of a known message, its time and a signature over both and the path: a stranger can
 * make no page say that something was sent, deleted or changed, and a bookmark does not repeat it for good.
 */
export interface Notices {
  /** The address with this message. @param address path on this site, with its query and fragment */
  addTo(address: string, key: MessageKey): string;
  /** The message of an address; null where it has none, or one that is forged, too old or for another page. */
  find(address: string): AddressedNotice | null;
}

/** Visitors may come back to a tab that their phone has put away; admins reload their lists. */
const lifetimeSeconds = { visitors: 60 * 60, admins: 60 };
const freshSeconds = 20;
/** Processes that share a secret may differ by this much. */
const clockDifferenceSeconds = 30;
const tokenShape = /^(\w{1,40})\.([0-9a-z]{1,8})\.([\w-]{16})$/;

/** Makes the notices of a site. */
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
        return { key: token, message: messages[token], isFresh: false };
      const [, key = "", time = "", mark = ""] = tokenShape.exec(token) ?? [];
      if (!isMessage(key)) return null;
      const age = seconds() - parseInt(time, 36);
      const lifetime = /^\/admin(?:\/|$)/.test(pathname) ? lifetimeSeconds.admins : lifetimeSeconds.visitors;
      if (age > lifetime || age < -clockDifferenceSeconds) return null;
      if (!timingSafeEqual(Buffer.from(mark), Buffer.from(sign(pathname, key, time)))) return null;
      return { key, message: messages[key], isFresh: age <= freshSeconds };
    },
  };
}

const isMessage = (key: string): key is MessageKey => Object.hasOwn(messages, key);
const isLasting = (key: string): key is keyof typeof lastingNotices => Object.hasOwn(lastingNotices, key);
