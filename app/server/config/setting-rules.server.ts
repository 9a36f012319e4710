import { z } from "zod";

/** A whole number in digits. */
export const wholeNumber = (lowest: number, highest: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${lowest} to ${highest}`)
    .transform(Number)
    .refine((n) => n >= lowest && n <= highest, `must be a whole number from ${lowest} to ${highest}`);

/** A URL of one of the protocols. @param example shown to an operator whose address is none */
export const webAddress = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address like ${example}` });

/** Whether an address is an origin: without path, query, fragment or password. */
export function isOrigin(address: string): boolean {
  try {
    const url = new URL(address);
    return url.pathname === "/" && !url.search && !url.hash && !url.username && !url.password;
  } catch {
    return false;
  }
}

const unitsInMs = { h: 60 * 60 * 1000, d: 24 * 60 * 60 * 1000 };

/** How often, as `6h` or `1d`, in milliseconds; `off` is null. */
export const interval = () =>
  z
    .string()
    .regex(/^(?:off|[1-9]\d{0,2}[hd])$/, "must be off, or hours or days like 6h or 1d")
    .transform((text) =>
      text === "off" ? null : Number(text.slice(0, -1)) * unitsInMs[text.endsWith("h") ? "h" : "d"],
    );
