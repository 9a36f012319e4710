import { company } from "../company";

/** All texts of the pages around a firm's articles; the articles are files of the operator's. */
export const insightsPage = {
  path: "/insights",
  label: "Insights",
  title: "Insights",
  description: `What ${company.name} has learned about healthcare and wellness ventures: articles, and examples of work with the consent of the client.`,
  lead: "What we have learned, written down so that you can use it.",
  articles: "Articles",
  examples: "Examples of work",
  newest: { title: "Insights", all: "All insights" },
  feed: "Subscribe with a feed reader",
  example: { client: "Client", consent: "Consent", disclosure: "Disclosure" },
  closing: {
    title: "Ask about your own case",
    text: "Write in your own words. A person reads it.",
    label: "Contact Us",
    path: "/contact?from=insights",
  },
} as const;
