import { expect, it } from "vitest";
import { cleanToken } from "./secret-link.server";

const short = `${"aB3_-".repeat(8)}xyz`;
const long = `3D${"aB3_-".repeat(12)}yz`;

it.each([
  (token: string) => token,
  (token: string) => `3D${token}`,
  (token: string) => `${token.slice(0, 20)}\r\n${token.slice(20)}`,
  (token: string) => `3D${token.slice(0, 20)}=\r\n${token.slice(20)}=\n`,
  (token: string) => `${token}#top`,
  (token: string) => `${token}](x`,
  (token: string) => `<${token}>.`,
  (token: string) => `${token}\u201d, she wrote`,
  (token: string) => `${token.slice(0, 9)}\u00ad\u200b \u00a0${token.slice(9)}`,
  (token: string) => `${token}_`,
])("finds the token in what a mail program made of it: %s", (breakIt) => {
  for (const token of [short, long]) expect(cleanToken(breakIt(token))).toBe(token);
});

it.each(["", "\0", "\u00e9".repeat(43), "a".repeat(42)])("makes no token of %j", (text) => {
  expect(cleanToken(text).length).toBeLessThan(43);
});
