import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

// What operators read is as binding as what visitors read: a promise of the policy rests on their having done it.

const read = (path: string) => readFileSync(path, "utf8").replaceAll(/\s+/g, " ");

it("tells whoever runs a hosted project that both timers are required, and what hangs on them", () => {
  const words = read("docs/OPERATIONS.md");
  expect(words).not.toContain("New mail goes out at once");
  expect(words).toContain("**The outbox timer** is required.");
  expect(words).toContain("what an admin sends (answers, extensions, erasures)");
  expect(words).toContain("**The retention timer** is required, too");
  expect(words).toContain("private.schedule_retention()");
});

it("claims no more of secrets and of erasures than is done", () => {
  expect(read("README.md")).not.toContain("no secret is ever printed");
  const words = read("docs/OPERATIONS.md");
  expect(words).not.toContain("neither time limits nor an erasure reaches them");
  const policy = read("app/content/legal/privacy-policy.md");
  expect(policy).not.toContain("in a database that lets only a signed-in administrator of ours read them");
  expect(policy).toContain(
    "through this website, only a signed-in administrator of ours can read messages and requests",
  );
  expect(policy).not.toContain("passwords of our staff are stored only");
  expect(policy).toContain("this website stores passwords of our staff only in a form");
});
