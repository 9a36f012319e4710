import { expect, it } from "vitest";
import { isEchoPath, makeEchoPath } from "./echo-path.server";

const key = Buffer.alloc(32, 1);
const now = Date.parse("2026-11-27T12:00:00Z");
const path = makeEchoPath(key, now);
const accepts = (tried: string, at = now, own = key) => isEchoPath(() => own, tried, at);

it("accepts its own path for a minute, and each path is another", () => {
  expect([accepts(path), accepts(path, now + 59_000), accepts(path, now + 61_000)]).toEqual([true, true, false]);
  expect(makeEchoPath(key, now)).not.toBe(path);
});

it("rejects another site's path, a changed one, and one made for a later time", () => {
  expect(accepts(path, now, Buffer.alloc(32, 2))).toBe(false);
  expect(accepts(path.replace(String(now + 60_000), String(now + 61_000)))).toBe(false);
  expect(accepts(makeEchoPath(key, now + 3_600_000))).toBe(false);
  for (const other of [
    "/",
    "/.well-known/site-echo/",
    `${path}x`,
    path.slice(0, -1),
    path.replace(/.{43}$/, "é".repeat(43)),
  ])
    expect(accepts(other), other).toBe(false);
});

it("derives no key for other addresses", () => {
  let derived = 0;
  const derive = () => {
    derived += 1;
    return key;
  };
  expect([isEchoPath(derive, "/about"), isEchoPath(derive, `${path}x`), derived]).toEqual([false, false, 0]);
});
