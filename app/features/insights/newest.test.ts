import { expect, it } from "vitest";
import type { Article } from "~/content/insights/article.server";
import { writeFeed } from "./feed.server";
import { findNewest } from "./newest.server";

const articles = Array.from({ length: 40 }, (_, index): Article => ({
  slug: `article-${index}`,
  title: "A title",
  summary: "A sentence.",
  date: "2026-11-20",
  author: "The firm",
  ...(index % 2 === 0 ? {} : { audience: "startups" }),
  kind: "article",
  replaces: [],
  draft: false,
  html: "<p>Text</p>",
  images: [],
}));

it("finds the newest three articles, of all or of an audience", () => {
  const insights = { list: () => articles };
  const numbersFor = (audience?: string) =>
    findNewest({ insights } as unknown as Parameters<typeof findNewest>[0], audience).map(({ path }) => path.slice(18));
  expect(numbersFor()).toEqual(["0", "1", "2"]);
  expect(numbersFor("startups")).toEqual(["1", "3", "5"]);
});

it("writes the newest thirty articles into the feed", () => {
  const feed = writeFeed(articles, "https://firm.example");
  expect(feed.match(/<entry>/g)).toHaveLength(30);
  expect(feed).toContain("<id>https://firm.example/insights/article-29</id>");
});
