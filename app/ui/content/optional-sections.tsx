import { Section } from "./section";

/** Props of {@link PeopleSection}. */
export interface PeopleSectionProps {
  title: string;
  people: readonly { name: string; field: string; line: string }[];
}

/** People beside the founder, each under a hairline: field, name and one sentence. */
export function PeopleSection({ title, people }: PeopleSectionProps) {
  return (
    <Section title={title}>
      <ul className="people-list">
        {people.map(({ name, field, line }) => (
          <li key={name}>
            <h3 className="text-2xl">{name}</h3>
            <p className="people-field">{field}</p>
            <p>{line}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Props of {@link EngagementSection}. */
export interface EngagementSectionProps {
  title: string;
  lead: string;
  /** `time` and `fee`: in words */
  engagements: readonly { what: string; time: string; fee: string }[];
}

/** Kinds of engagement, one a line. */
export function EngagementSection({ title, lead, engagements }: EngagementSectionProps) {
  return (
    <Section title={title} lead={lead}>
      <ul className="engagement-list">
        {engagements.map(({ what, time, fee }) => (
          <li key={what}>
            <h3 className="text-2xl">{what}</h3>
            <p>{time}</p>
            <p>{fee}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Names of clients on one line, without logos. */
export function ClientLine({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <section aria-labelledby="clients-title" className="band tone-paper">
      <div className="wrap client-line">
        <h2 id="clients-title" className="eyebrow">
          {title}
        </h2>
        <p className="font-display text-2xl">{names.join(", ")}</p>
      </div>
    </section>
  );
}
