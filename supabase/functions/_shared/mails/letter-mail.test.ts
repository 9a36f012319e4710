import { expect, it } from "vitest";
import { composeLetter } from "./letter-mail.ts";

const footer = { firm: "Hale & Co", address: "1 Main Street, Salem, Oregon", site: "firm.example" };
const compose = (letter: { subject?: string; body?: string; name?: string }) =>
  composeLetter({ subject: "News", body: "Dear {name},", name: "Grace Hopper", footer, ...letter });

it("greets a member by the first name, and ends with the firm's name and postal address", () => {
  const { body } = compose({});
  expect(body).toMatch(/^Dear Grace,\n/);
  expect(body).toContain("\n\nHale & Co\n1 Main Street, Salem, Oregon\n\n");
});

it("inserts a name that looks like a placeholder or a pattern as it is, in any script", () => {
  const arabic = "عيادة تجمع جولتها الأولى";
  const letter = compose({ subject: `${arabic} {name}`, body: `${arabic} {name} {name}`, name: "{name}$&Ltd" });
  expect(letter.subject).toBe(`${arabic} {name}$&Ltd`);
  expect(letter.body).toMatch(new RegExp(`^${arabic} \\{name\\}\\$&Ltd \\{name\\}\\$&Ltd\n`));
});

it("shortens a subject that a name makes longer than 200 characters", () => {
  const longest = "\u{1f600}".repeat(100);
  expect(compose({ subject: `For {name}: ${"s".repeat(188)}`, name: longest }).subject).toBe(
    `For ${longest}: ${"s".repeat(93)}…`,
  );
});
