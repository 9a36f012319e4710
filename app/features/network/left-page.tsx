import { leftPage } from "~/content/pages/network";
import { LinkPage } from "~/ui/content/link-page";

/** The page after leaving the network. */
export function LeftPage() {
  return (
    <LinkPage title={leftPage.title} lead={leftPage.lead}>
      <p className="link-ways">
        {leftPage.links.map(({ label, path }) => (
          <a key={path} href={path}>
            {label}
          </a>
        ))}
      </p>
    </LinkPage>
  );
}
