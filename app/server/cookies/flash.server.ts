import { type Cookie, createCookie } from "@remix-run/node";
import { type Message, type MessageKey, messages } from "~/content/messages";
import { cookieAttributes, cookieName } from "./cookies.server";

/**
 * A message that survives one redirect. The cookie holds the key of a known message and nothing else, so it needs no
 * signature, carries no personal data and can show no words but our own.
 */
let cookie: Cookie | undefined;
const flashCookie = () => (cookie ??= createCookie(cookieName("flash"), cookieAttributes("flash")));

/** The `Set-Cookie` value that shows this message on the next page. */
export function setFlash(key: MessageKey): Promise<string> {
  return flashCookie().serialize(key);
}

/**
 * Takes the waiting message, if there is one.
 * @returns the message and the `Set-Cookie` value that removes it, or null
 */
export async function takeFlash(request: Request): Promise<{ message: Message; setCookie: string } | null> {
  const header = request.headers.get("cookie");
  if (!header?.includes(cookieName("flash"))) return null;
  const key: unknown = await flashCookie().parse(header);
  if (typeof key !== "string" || !Object.hasOwn(messages, key)) return null;
  return {
    message: messages[key as MessageKey],
    setCookie: await flashCookie().serialize("", { maxAge: 0 }),
  };
}
