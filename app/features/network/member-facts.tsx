import { networkWords } from "~/content/pages/network";
import type { MemberDetails } from "./membership.server";

/** Props of {@link MemberFacts}. */
export interface MemberFactsProps {
  details: MemberDetails;
  email?: string;
  /** more facts, by name; null ones are left out */
  more?: readonly (readonly [name: string, value: string | null])[];
}

/** A member's details as a list. */
export function MemberFacts({ details, email, more = [] }: MemberFactsProps) {
  const { labels, kinds, fields, checkSizes, qualifications, notGiven } = networkWords;
  const { name, company, kind, check_size, place, qualification } = details;
  const facts: (readonly [string, string | null])[] = [
    ...more,
    [labels.name, name],
    [labels.email, email ?? null],
    [labels.company, company],
    [labels.kind, kind === null ? notGiven : kinds[kind]],
    [labels.fields, details.fields.map((field) => fields[field]).join(", ") || notGiven],
    [labels.check_size, check_size === null ? notGiven : checkSizes[check_size]],
    [labels.place, place ?? notGiven],
    [labels.qualification, qualification === null ? notGiven : qualifications[qualification]],
  ];
  return (
    <dl className="request-facts">
      {facts.map(([label, value]) =>
        value === null ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="wrap-anywhere">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
