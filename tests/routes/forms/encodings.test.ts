import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";

let product: RunningSite;

beforeAll(async () => {
  product = await shareSite();
});

const urlencoded = "application/x-www-form-urlencoded";

/** Percent-encodes each byte of a text in ISO 8859-1, which `windows-1252` shares for these letters. */
const inLatin1 = (text: string) =>
  [...Buffer.from(text, "latin1")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

function encode(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${inLatin1(value)}`)
    .join("&");
}

function multipart(fields: Record<string, string>): Uint8Array<ArrayBuffer> {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--border\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return new Uint8Array(Buffer.from(`${parts.join("")}--border--\r\n`, "latin1"));
}

async function post(body: string | Uint8Array<ArrayBuffer>, type: string) {
  const headers = { "Content-Type": type, Origin: product.url };
  const response = await fetch(`${product.url}/contact`, { method: "POST", body, headers, redirect: "manual" });
  return { status: response.status, text: readText(await response.text()) };
}

async function isInInbox(name: string): Promise<boolean> {
  const admin = new Visitor(product.url);
  await admin.signIn();
  return (await admin.get("/admin")).html.includes(`>${name}</h3>`);
}

describe("a form with non-ASCII text", () => {
  it.each([
    ["named by Content-Type", (form: Record<string, string>) => encode(form), `${urlencoded}; charset=windows-1252`],
    [
      "named by the field _charset_",
      (form: Record<string, string>) => `_charset_=windows-1252&${encode(form)}`,
      urlencoded,
    ],
    ["multipart and named by Content-Type", multipart, "multipart/form-data; charset=iso-8859-1; boundary=border"],
  ])("is read when its encoding is %s", async (_name, write, type) => {
    const name = `Zoë ${randomUUID().slice(0, 8)}`;
    expect((await post(write({ ...filledContactForm, name }), type)).status).toBe(303);
    expect(await isInInbox(name)).toBe(true);
  });

  it.each([
    ["does not name its encoding", encode, urlencoded],
    ["falsely claims UTF-8", encode, `${urlencoded}; charset=utf-8`],
    ["names an unknown encoding", encode, `${urlencoded}; charset=martian`],
    ["is multipart and names no encoding", multipart, "multipart/form-data; boundary=border"],
  ])("is refused with an explanation when it %s", async (_name, write, type) => {
    const name = `Zoë ${randomUUID().slice(0, 8)}`;
    const { status, text } = await post(write({ ...filledContactForm, name }), type);
    expect(status).toBe(400);
    expect(text).toContain("sent this form in an encoding other than UTF-8");
    expect(await isInInbox(name)).toBe(false);
  });

  it("is read as UTF-8 with or without percent-encoding, also as multipart", async () => {
    const name = `Zoë 🌻 ${randomUUID().slice(0, 8)}`;
    const plain = Object.entries({ ...filledContactForm, name }).map(([key, value]) => `${key}=${value}`);
    expect((await post(plain.join("&").replaceAll("\n", "%0a"), urlencoded)).status).toBe(303);
    const form = new FormData();
    const second = `Noël 字 ${randomUUID().slice(0, 8)}`;
    for (const [key, value] of Object.entries({ ...filledContactForm, name: second })) form.set(key, value);
    const init = { method: "POST", body: form, headers: { Origin: product.url }, redirect: "manual" } as const;
    expect((await fetch(`${product.url}/contact`, init)).status).toBe(303);
    expect([await isInInbox(name), await isInInbox(second)]).toEqual([true, true]);
  });
});
