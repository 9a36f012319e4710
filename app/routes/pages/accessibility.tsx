import { company } from "~/content/company";
import { metaFor } from "~/content/page-meta";
import { accessibilityPage as page } from "~/content/pages/accessibility";
import { formatDay } from "~/lib/dates";
import { Statement } from "~/ui/content/statement";

export const meta = metaFor(page);

export default function AccessibilityPage() {
  const { title, lead, preparedOn, sections, contact } = page;
  const prepared = { words: preparedOn.words, iso: preparedOn.day, day: formatDay(preparedOn.day) };
  return (
    <Statement title={title} lead={lead} preparedOn={prepared} sections={sections}>
      <section>
        <h2>{contact.title}</h2>
        <p>
          {contact.before}
          <a href={contact.link.path}>{contact.link.label}</a>
          {contact.between}
          <a href={`mailto:${company.email}`}>{company.email}</a>
          {contact.after}
        </p>
      </section>
    </Statement>
  );
}
