import type { ChromeLink } from "../frame/chrome-links";
import { Portrait } from "./portrait";

/** Props of {@link PersonSection}. */
export interface PersonSectionProps {
  title: string;
  philosophy: { quote: string; attribution: string };
  role: string;
  photo: string | null;
  initials: string;
  alt: string;
  link: ChromeLink;
}

/** The person whom a client works with: picture, principle, name and role. */
export function PersonSection({ title, philosophy, role, photo, initials, alt, link }: PersonSectionProps) {
  return (
    <section aria-labelledby="person-title" className="band tone-paper">
      <div className="wrap person">
        <Portrait src={photo} alt={alt} initials={initials} />
        <div>
          <h2 id="person-title" className="eyebrow">
            {title}
          </h2>
          <figure>
            <blockquote className="person-principle">
              <p>{`“${philosophy.quote}”`}</p>
            </blockquote>
            <figcaption className="mt-6 font-semibold">{philosophy.attribution}</figcaption>
          </figure>
          <p className="text-(--muted)">{role}</p>
          <a href={link.path} className="more">
            {link.label}
          </a>
        </div>
      </div>
    </section>
  );
}
