import { createCookie } from "@remix-run/node";
import { type Message, type MessageKey, messages } from "~/content/messages";
import type { Cookies } from "./cookies.server";

/**
 * A message that survives one redirect. The cookie holds the key of a known message and nothing else, so it needs no
 * signature, carries no personal data and can show no words but our own.
 */
export interface Flash {
  /** The `Set-Cookie` value that shows this message on the next page. */
  set(key: MessageKey): Promise<string>;
  /** Takes the waiting message. @returns it and the `Set-Cookie` value that removes it, or null */
  take(request: Request): Promise<{ message: Message; setCookie: string } | null>;
}

/** Makes the one flash message of a site. */
export function createFlash(cookies: Cookies): Flash {
  const name = cookies.name("flash");
  const cookie = createCookie(name, cookies.attributes("flash"));
  return {
    set: (key) => cookie.serialize(key),
    async take(request) {
      const header = request.headers.get("cookie");
      if (!header?.includes(name)) return null;
      const key: unknown = await cookie.parse(header);
      if (typeof key !== "string" || !Object.hasOwn(messages, key)) return null;
      return { message: messages[key as MessageKey], setCookie: await cookie.serialize("", { maxAge: 0 }) };
    },
  };
}
