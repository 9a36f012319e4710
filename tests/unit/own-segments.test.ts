import { expect, it } from "vitest";
import { ownSegments } from "~/content/site-pages";
import { routes } from "~/routes";

it("contains the first segment of every page address", () => {
  const segments = Object.keys(routes).map((path) => path.split("/", 1)[0] ?? "");
  const pages = segments.filter((segment) => /^\.?[a-z-]+$/.test(segment));
  expect(ownSegments).toEqual(new Set(pages));
});
