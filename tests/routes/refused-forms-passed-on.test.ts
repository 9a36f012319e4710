import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Product, startProduct } from "../support/product";
import { Visitor, filledContactForm, readText } from "../support/visitor";
import { isRefusedFromMemory, postRaw } from "./support/raw-answer";

type Fields = Record<string, string>;

const contact: Fields = { ...filledContactForm, email: "no address" };

let product: Product;

beforeAll(async () => {
  product = await startProduct({ POST_RATE_LIMIT: "0" });
});

afterAll(async () => {
  await product.stop();
});

describe("what the action has to judge reaches it as it was sent", () => {
  it("from a server that answers such forms from memory by now", async () => {
    await post("/contact", contact);
    await expect.poll(async () => isRefusedFromMemory(await post("/contact", contact))).toBe(true);
  });

  it("a message without mistakes is stored", async () => {
    const visitor = new Visitor(product.url);
    const form = { ...filledContactForm, message: "It went around: é ✓ <b>\nand on." };
    const { html } = await visitor.postAndFollow("/contact", form);
    expect(readText(html)).toContain("Message Sent!");
    const admin = new Visitor(product.url);
    await admin.signIn();
    expect(readText((await admin.get("/admin")).html)).toContain("It went around: é ✓ <b>");
  });

  it("a post from another site, whatever its form holds", async () => {
    expect((await post("/contact", contact, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await post("/contact", contact, { Origin: "null" })).status).toBe(403);
  });

  it.each<[string, string, Fields, number]>([
    ["a field twice", "name=A&name=B&email=x", {}, 400],
    ["a field of no form", "name=A&email=x&colour=red", {}, 400],
    ["what fills the memory of a careless reader", "a[99999999]=1", {}, 400],
    ["fields that every object has", "toString=1&constructor=2&__proto__=3", {}, 400],
    ["a filled trap", new URLSearchParams({ ...contact, honeypot: "x" }).toString(), {}, 400],
    ["nothing", "", {}, 400],
    ["another type", "{}", { "Content-Type": "application/json" }, 415],
    ["more than a form can hold", `message=${"a".repeat(70_000)}`, {}, 413],
    ["a choice that there is not", "privacyConsent=perhaps", {}, 400],
  ])("%s", async (_name, body, headers, status) => {
    for (let time = 0; time < 2; time++)
      expect((await postRaw(product.url, "/contact", body, headers)).status).toBe(status);
  });

  it("a body that comes in pieces", async () => {
    const socket = connect(Number(new URL(product.url).port), "localhost");
    const body = new URLSearchParams(contact).toString();
    const { host } = new URL(product.url);
    const head = `POST /contact HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${product.url}\r\nConnection: close\r\n`;
    socket.write(`${head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`);
    for (const half of [body.slice(0, 40), body.slice(40)]) {
      await wait(50);
      socket.write(half);
    }
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString()));
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("correct format");
  });
});

it("counts for the limit, and is refused with the words kept once that is reached", async () => {
  const limited = await startProduct({ POST_RATE_LIMIT: "3" });
  try {
    const statuses: number[] = [];
    for (let time = 0; time < 5; time++) {
      const { status, html } = await new Visitor(limited.url).post("/contact", contact);
      statuses.push(status);
      expect(html).toContain(`value="${contact.company}"`);
    }
    expect(statuses).toEqual([400, 400, 400, 429, 429]);
  } finally {
    await limited.stop();
  }
});

function post(path: string, fields: Fields, headers?: Record<string, string>) {
  return postRaw(product.url, path, new URLSearchParams(fields).toString(), headers);
}
