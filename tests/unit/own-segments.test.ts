import { expect, it } from "vitest";
import { ownSegments } from "~/content/site-pages";
import { routes } from "~/routes";

it("knows the first segment of every address of the site but those of files", () => {
  const segments = Object.keys(routes).map((path) => path.split("/", 1)[0] ?? "");
  const pages = segments.filter((segment) => /^\.?[a-z-]+$/.test(segment));
  expect(ownSegments).toEqual(new Set(pages));
});
