import { readFileSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { messages } from "~/content/messages";
import { actionWords } from "~/features/admin/rights-requests/request-words";

// What operators read is as binding as what visitors read: a promise of the policy rests on their having done it.

const read = (path: string) => readFileSync(path, "utf8").replaceAll(/\s+/g, " ");

it("tells whoever runs a hosted project that both timers are required, and what hangs on them", () => {
  const words = read("docs/OPERATIONS.md");
  expect(words).not.toContain("New mail goes out at once");
  expect(words).toContain("**The outbox timer** is required.");
  expect(words).toContain("what an admin sends (replies, answers, extensions, erasures)");
  expect(words).toContain("**The retention timer** is required, too");
  expect(words).toContain("private.schedule_retention()");
});

it("advises against a second factor at a hosted project as long as no page asks for its code", () => {
  const pages = readdirSync("app/routes", { recursive: true, encoding: "utf8" });
  expect(pages.length).toBeGreaterThan(20);
  const asksForCode = pages.some((file) => file.includes("second-factor"));
  expect(read("docs/OPERATIONS.md").includes("Give that user no second factor")).toBe(!asksForCode);
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

it("tells an admin what this site erases and restricts, and not that it is everything", () => {
  const [erasure, elsewhere, inbox] = [
    "rights-requests/request-action-forms.tsx",
    "rights-requests/elsewhere-list.tsx",
    "inbox/submission-actions.tsx",
  ].map((file) => read(`app/features/admin/${file}`).replaceAll(/\/\*\*.*?\*\//g, ""));
  const words = JSON.stringify([erasure, elsewhere, inbox, actionWords.restrict, Object.values(messages)]);
  expect(words).not.toMatch(/everything|permanently deleted/i);
  expect(messages.subjectErased.text).toContain("backups hold it until they expire");
  expect(inbox).toContain("Backups and mailboxes may still hold them");
});

it("says of secret links that only what is sent has lost them", () => {
  const policy = read("app/content/legal/privacy-policy.md");
  expect(policy).toContain("secret links, of which we keep only fingerprints once it is sent");
});
