import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { filledContactForm, readText } from "../../support/visitor";
import { useSharedSite } from "../support/world";

const site = useSharedSite();
const urlencoded = "application/x-www-form-urlencoded";

/** A form that comes back with its fields. */
const form = { ...filledContactForm, name: "Zoë", email: "none" };

/** Percent-encodes each byte of a text in ISO 8859-1, which `windows-1252` shares for these letters. */
const inLatin1 = (value: string) =>
  [...Buffer.from(value, "latin1")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const pairs = Object.entries(form).map(([name, value]) => `${name}=${inLatin1(value)}`);
const latin1 = pairs.join("&");
const parts = Object.entries(form).map(
  ([name, value]) => `--border\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
);
const multipart = new Uint8Array(Buffer.from(`${parts.join("")}--border--\r\n`, "latin1"));
const plain = Object.entries(form).map(([name, value]) => `${name}=${value.replaceAll("\n", "%0a")}`);

async function post(body: string | Uint8Array<ArrayBuffer>, type: string) {
  const headers = { "Content-Type": type, Origin: site.url };
  const response = await fetch(`${site.url}/contact`, { method: "POST", body, headers });
  expect(response.status).toBe(400);
  return response.text();
}

describe("a form with non-ASCII text", () => {
  it.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ["by Content-Type", latin1, `${urlencoded}; charset=windows-1252`],
    ["by the field _charset_", `_charset_=windows-1252&${latin1}`, urlencoded],
    ["by the Content-Type of multipart", multipart, "multipart/form-data; charset=iso-8859-1; boundary=border"],
    ["by nothing, but is UTF-8 without percent-encoding", plain.join("&"), urlencoded],
  ])("is read when its encoding is named %s", async (_name, body, type) => {
    expect(await post(body, type)).toContain('value="Zoë"');
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ["does not name its encoding", latin1, urlencoded],
    ["falsely claims UTF-8", latin1, `${urlencoded}; charset=utf-8`],
    ["names an unknown encoding", latin1, `${urlencoded}; charset=martian`],
    ["is multipart and names no encoding", multipart, "multipart/form-data; boundary=border"],
  ])("is refused with an explanation when it %s", async (_name, body, type) => {
    expect(readText(await post(body, type))).toContain("sent this form in an encoding other than UTF-8");
  });
});

it("refuses a body of many megabytes without reading all of it", async () => {
  const headers = { "Content-Type": urlencoded, "Content-Length": 500_000_000 };
  const sent = request(`${site.url}/contact`, { method: "POST", headers });
  sent.write("message=");
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  sent.destroy();
  expect(response.statusCode).toBe(413);
});

it("refuses a body that is too large and has no declared length, and says how much a form may have", async () => {
  const init = { method: "POST", headers: { "Content-Type": urlencoded }, duplex: "half" };
  const body = new Blob([`message=${"x".repeat(256 * 1024)}`]).stream();
  const response = await fetch(`${site.url}/contact`, { ...init, body } as RequestInit);
  expect([response.status, await response.text()]).toEqual([413, expect.stringContaining("256 kilobytes")]);
});

it("reads a body in chunks completely", async () => {
  const body = new URLSearchParams(form).toString();
  const sent = request(`${site.url}/contact`, { method: "POST", headers: { "Content-Type": urlencoded } });
  await new Promise((written) => sent.write(body.slice(0, 40), written));
  const responded = once(sent.end(body.slice(40)), "response");
  const [response] = (await responded) as [IncomingMessage];
  expect(await text(response)).toContain("Can we talk?</textarea>");
});

it("renders complete characters at any byte offset, with nothing in between", async () => {
  for (const character of ["é", "→", "🌿"]) {
    // A chunk of the renderer ends within this text, and with one of these prefixes it ends within a character.
    for (const beginning of ["", "a", "aa", "aaa"]) {
      const description = beginning + character.repeat(600 / character.length);
      const { html } = await site.post("/data-rights", { description });
      expect(html).not.toContain("\0");
      expect(html).toContain(`${description}</textarea>`);
    }
  }
});

it("removes a posted NUL from the page", async () => {
  for (let time = 0; time < 3; time += 1) {
    const { html } = await site.post("/data-rights", { name: "a\0b", description: "c\0d" });
    expect(html).not.toContain("\0");
    expect(html).toContain('value="ab"');
  }
});
