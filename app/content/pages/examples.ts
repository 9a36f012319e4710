import { company } from "../company";
import type { Audience } from "../firm/company-facts";

const audiences: Record<string, Audience | undefined> = {
  "/startups": "startups",
  "/small-business": "smallBusiness",
  "/growth-stage": "growthStage",
  "/enterprises": "enterprises",
};

/** Tells whether the page speaks to one audience, rather than about one service. */
export function isAudiencePage(path: string): boolean {
  return audiences[path] !== undefined;
}

/** Finds the example that the firm's facts give for an audience page. */
export function findExample(path: string) {
  const audience = audiences[path];
  const example = audience && company.examples[audience];
  return (
    example && {
      title: "For example",
      parts: [
        { label: "Where they stood", text: example.startingPoint },
        { label: "What we did", text: example.work },
        { label: "What changed", text: example.result },
      ],
    }
  );
}
