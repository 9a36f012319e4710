import type { ChromeLink } from "../frame/chrome-links";
import { ActionLinks, type ActionLinksProps } from "./action-links";

/** Props of {@link CallToAction}. */
export interface CallToActionProps extends ActionLinksProps {
  title: string;
  text: string;
  /** another page to read first */
  neighbor?: ChromeLink;
}

/** The call to action at the end of a page. */
export function CallToAction({ title, text, primary, secondary, neighbor }: CallToActionProps) {
  return (
    <section aria-labelledby="next-step-title" className="band tone-paper">
      {neighbor ? (
        <p className="wrap neighbor">
          <a href={neighbor.path} className="more">
            {neighbor.label}
          </a>
        </p>
      ) : null}
      <div className="wrap grid gap-8 md:grid-cols-12 md:items-end">
        <div className="md:col-span-7">
          <h2 id="next-step-title" className="max-w-[13.5em] text-(length:--text-title)">
            {title}
          </h2>
          <p className="lead mt-5 max-w-[33.5em] text-xl">{text}</p>
        </div>
        <p className="flex flex-wrap gap-4 md:col-span-5 md:justify-end">
          <ActionLinks primary={primary} secondary={secondary} />
        </p>
      </div>
    </section>
  );
}
