/** A JSON-LD document (schema.org) of things that refer to each other by `@id`. */
export interface StructuredData {
  [key: string]: string | Thing[];
  "@context": "https://schema.org";
  "@graph": Thing[];
}

/** A schema.org `Thing`. */
export interface Thing {
  [property: string]: JsonLd;
  "@type": string;
}

type JsonLd = string | number | Thing | { [property: string]: JsonLd } | readonly JsonLd[];

/** Facts about the organization. Unknown addresses are left out. */
export interface OrganizationFacts {
  siteUrl: string;
  name: string;
  description: string;
  email?: string | undefined;
  /** the organization's own pages on other sites */
  sameAs: readonly string[];
}

/** Facts about the founder. */
export interface PersonFacts {
  siteUrl: string;
  name: string;
  jobTitle: string;
  sameAs: readonly string[];
}

/** Facts about one service; `path` is its page. */
export interface ServiceFacts {
  siteUrl: string;
  path: string;
  name: string;
  description: string;
}

/** A step in the trail from the home page to a page. */
export interface Crumb {
  name: string;
  path: string;
}

/** Joins things into a page's JSON-LD document. */
export function structuredData(...things: Thing[]): StructuredData {
  return { "@context": "https://schema.org", "@graph": things };
}

/** Describes the firm. `Organization`, because schema.org deprecates ProfessionalService. */
export function organization(facts: OrganizationFacts): Thing {
  return {
    "@type": "Organization",
    "@id": organizationId(facts.siteUrl),
    name: facts.name,
    url: `${facts.siteUrl}/`,
    description: facts.description,
    ...(facts.email ? { email: facts.email } : {}),
    logo: `${facts.siteUrl}/icon-512.png`,
    ...(facts.sameAs.length > 0 ? { sameAs: facts.sameAs } : {}),
  };
}

/** Describes the whole site, published by the firm. */
export function webSite({ siteUrl, name }: { siteUrl: string; name: string }): Thing {
  return {
    "@type": "WebSite",
    "@id": `${siteUrl}/#website`,
    url: `${siteUrl}/`,
    name,
    inLanguage: "en-US",
    publisher: { "@id": organizationId(siteUrl) },
  };
}

/** Describes a service of the firm. */
export function service({ siteUrl, path, name, description }: ServiceFacts): Thing {
  return {
    "@type": "Service",
    "@id": `${siteUrl}${path}#service`,
    name,
    description,
    url: siteUrl + path,
    provider: { "@id": organizationId(siteUrl) },
  };
}

/** Describes a person who works for the firm. */
export function person({ siteUrl, name, jobTitle, sameAs }: PersonFacts): Thing {
  return {
    "@type": "Person",
    "@id": `${siteUrl}/about#founder`,
    name,
    jobTitle,
    worksFor: { "@id": organizationId(siteUrl) },
    ...(sameAs.length > 0 ? { sameAs } : {}),
  };
}

/** Facts about an article; `date`: ISO 8601 */
export interface ArticleFacts {
  siteUrl: string;
  path: string;
  headline: string;
  description: string;
  date: string;
  author: string;
  /** true if the firm itself is named as the author */
  isFirm: boolean;
}

/** Describes an article that the firm publishes. */
export function article({ siteUrl, path, headline, description, date, author, isFirm }: ArticleFacts): Thing {
  const publisher = { "@id": organizationId(siteUrl) };
  return {
    "@type": "Article",
    "@id": `${siteUrl}${path}#article`,
    headline,
    description,
    datePublished: date,
    inLanguage: "en-US",
    mainEntityOfPage: siteUrl + path,
    image: `${siteUrl}/share/home.png`,
    author: isFirm ? publisher : { "@type": "Person", name: author },
    publisher: { "@type": "Organization", ...publisher },
  };
}

/** Describes the trail to a page. The last step is the page itself and needs no address (Google's breadcrumb guide). */
export function breadcrumbs(siteUrl: string, crumbs: readonly Crumb[]): Thing {
  return {
    "@type": "BreadcrumbList",
    itemListElement: crumbs.map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      ...(index < crumbs.length - 1 ? { item: siteUrl + path } : {}),
    })),
  };
}

function organizationId(siteUrl: string): string {
  return `${siteUrl}/#organization`;
}
