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
