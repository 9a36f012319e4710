import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*"], {
  encoding: "utf8",
});
const files = listed
  .split("\n")
  .filter((file) => /\.(?:ts|tsx|mjs|ya?ml|example|md|service)$/.test(file) && existsSync(file));

const headingsOf = (page: string) =>
  [...readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading.replaceAll("`", ""));

/** As GitHub makes the address of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .replaceAll(" ", "-");

it("exist, with the sections that messages and comments name", () => {
  const names = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\b(docs\/[\w/-]+\.md)(?:,\s+“([^”]+)”)?/g)].map(
      ([, page = "", section]) => ({ file, page, section }),
    ),
  );
  expect(names.length).toBeGreaterThan(20);
  const missing = names.filter(
    ({ page, section }) => !existsSync(page) || (section !== undefined && !headingsOf(page).includes(section)),
  );
  expect(missing).toEqual([]);
});

it("exist, with the headings that links name", () => {
  const links = files
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
        ([, target = "", anchor]) => ({ file, page: target === "" ? file : join(dirname(file), target), anchor }),
      ),
    );
  expect(links.length).toBeGreaterThan(50);
  const missing = links.filter(
    ({ page, anchor }) =>
      !existsSync(page) || (anchor !== undefined && !headingsOf(page).map(anchorOf).includes(anchor)),
  );
  expect(missing).toEqual([]);
});
