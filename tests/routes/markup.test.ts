import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicPaths, unlistedPaths } from "../support/page-source";
import { type Product, startProduct } from "../support/product";
import { filledDataRightsForm, readRequestLinks } from "../support/data-rights";
import { Visitor, filledContactForm } from "../support/visitor";

/** What the W3C Nu HTML Checker says of one place in one page. */
interface Finding {
  type: "error" | "info" | "non-document-error";
  subType?: "warning";
  url?: string;
  message: string;
  extract?: string;
}

/**
 * What the checker's style part, which is years behind its HTML part, does not know yet. Each is standard and a browser
 * that lacks it passes over it.
 */
const unknownToChecker = [
  /^CSS: Unrecognized at-rule “@property”/, // CSS Properties and Values API 1; Tailwind's own
  /^CSS: Unrecognized at-rule “@starting-style”/, // CSS Transitions 2
  /^CSS: “transition”: “allow-discrete” is not/, // CSS Transitions 2
  /^CSS: “margin-trim”/, // CSS Box Model 4; Tailwind asks for it in @supports to tell browsers apart
];

const checker = join(dirname(createRequire(import.meta.url).resolve("vnu-jar")), "build/dist/vnu.jar");

let product: Product;
let folder: string;
const files: string[] = [];

beforeAll(async () => {
  product = await startProduct();
  folder = await mkdtemp(join(tmpdir(), "markup-"));
  const visitor = new Visitor(product.url);
  await visitor.signIn();
  await visitor.post("/contact", filledContactForm);
  await visitor.post("/data-rights", filledDataRightsForm);
  const { confirm, status } = await readRequestLinks(product.dataDir, filledDataRightsForm.email);
  const requests = (await visitor.get("/admin/requests")).html;
  const request = /\/admin\/requests\/[0-9a-f-]{36}/.exec(requests)?.[0] ?? "";
  const paths = [...publicPaths, ...unlistedPaths, "/no-such-page", "/about?cookie-preferences=open"];
  for (const path of [...paths, confirm, status, `${status}&withdraw=ask`, "/admin/requests", request]) {
    await keep(path, (await visitor.get(path)).html);
  }
  for (const path of ["/contact", "/data-rights", "/login"]) {
    await keep(`${path} with mistakes`, (await visitor.post(path, {})).html);
  }
});

async function keep(name: string, html: string) {
  const file = join(folder, `${name.replace(/[^a-z-]+/g, "-") || "home"}.html`);
  await writeFile(file, html);
  files.push(file);
}

afterAll(async () => {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("the markup of every page", () => {
  it("has no error for the W3C Nu HTML Checker", async () => {
    const findings = await check(files);
    const errors = findings.filter(
      ({ type, message }) => type !== "info" && !unknownToChecker.some((known) => known.test(message)),
    );
    expect(errors.map(({ url, message, extract }) => [url?.slice(url.lastIndexOf("/")), message, extract])).toEqual([]);
  });
});

/** All pages in one run: starting Java takes longer than checking. */
function check(paths: string[]): Promise<Finding[]> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 * 1024 * 1024 };
    execFile("java", ["-jar", checker, "--format", "json", "--stdout", ...paths], options, (error, stdout, stderr) => {
      if (error?.code === "ENOENT")
        reject(new Error("The HTML checker needs Java. Install it:\n\n  apt-get install -y default-jre-headless\n"));
      else if (!stdout) reject(new Error(`The HTML checker said nothing: ${stderr}`));
      else resolve((JSON.parse(stdout) as { messages: Finding[] }).messages);
    });
  });
}
