/** How long a cookie lives: with the browser's session, or this many seconds. */
export type CookieLifetime = "session" | number;

/** One cookie that this site may set. The site sets no cookie that is not listed here. */
export interface CookieFact {
  /** the name on the wire; `__Host-` stands before it when the site runs on https */
  name: string;
  purpose: string;
  category: "necessary" | "analytics";
  lifetime: CookieLifetime;
}

const minute = 60;
const day = 24 * 60 * minute;

/** The cookie registry: cookies are set from it, and the cookie policy's table is rendered from it. */
export const cookies = {
  flash: {
    name: "flash",
    purpose: "Carries one message, such as “Message Sent!”, to the next page and is then removed.",
    category: "necessary",
    lifetime: minute,
  },
  adminSession: {
    name: "admin-session",
    purpose: "Keeps the firm's own staff signed in to the admin area. Visitors never receive it.",
    category: "necessary",
    lifetime: 30 * day,
  },
  knownDevice: {
    name: "known-device",
    purpose:
      "Lets a device that signed in before sign in again while strangers try passwords. Visitors never receive it.",
    category: "necessary",
    lifetime: 365 * day,
  },
} as const satisfies Record<string, CookieFact>;

/** The firm answers a contact message within this time (spec section 9). */
export const replyWithinHours = 24;

/** Contact messages are deleted after this time (spec section 9). */
export const contactRetentionYears = 2;
