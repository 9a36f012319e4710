import type { MetaFunction } from "@remix-run/node";
import { contactLink } from "~/content/navigation";
import { pageTitle } from "~/content/page-title";
import { homePage } from "~/content/pages/home";

export const meta: MetaFunction = () => [
  { title: pageTitle(homePage.title) },
  { name: "description", content: homePage.description },
];

export default function HomePage() {
  return (
    <div className="wrap py-16 md:py-32">
      <h1 className="max-w-[16ch] text-(length:--text-hero)">{homePage.headline}</h1>
      <p className="mt-8 max-w-[56ch] text-xl">{homePage.lead}</p>
      <p className="mt-10">
        <a href={contactLink.path} className="button">
          {homePage.action}
        </a>
      </p>
    </div>
  );
}
