import { LinkPage } from "~/ui/content/link-page";

interface Words {
  title: string;
  lead: string;
  links: readonly { label: string; path: string }[];
}

/** A page of words and links, such as the one after leaving the network. */
export function WordsPage({ title, lead, links }: Words) {
  return (
    <LinkPage title={title} lead={lead}>
      <p className="link-ways">
        {links.map(({ label, path }) => (
          <a key={path} href={path}>
            {label}
          </a>
        ))}
      </p>
    </LinkPage>
  );
}
