import type { ChromeLink } from "../frame/chrome-links";

/** Props of {@link ActionLinks}. */
export interface ActionLinksProps {
  primary: ChromeLink;
  secondary?: ChromeLink | undefined;
}

/** The next step of a page, and a second way, as buttons. */
export function ActionLinks({ primary, secondary }: ActionLinksProps) {
  return (
    <>
      <a href={primary.path} className="button">
        {primary.label}
      </a>{" "}
      {secondary ? (
        <a href={secondary.path} className="button button-quiet">
          {secondary.label}
        </a>
      ) : null}
    </>
  );
}
