import type { MetaFunction } from "@remix-run/node";
import { pageTitle } from "~/content/page-title";
import { privacyPage } from "~/content/pages/privacy-policy";

export const meta: MetaFunction = () => [
  { title: pageTitle(privacyPage.title) },
  { name: "description", content: privacyPage.description },
];

export default function PrivacyPolicyPage() {
  return (
    <article className="wrap max-w-3xl py-12 md:py-20">
      <h1 className="text-(length:--text-hero)">{privacyPage.title}</h1>
      {privacyPage.sections.map((section) => (
        <section key={section.title} className="mt-10">
          <h2 className="text-2xl">{section.title}</h2>
          <p className="mt-3">{section.text}</p>
        </section>
      ))}
    </article>
  );
}
