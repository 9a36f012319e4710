import { type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { dataRightsPage } from "~/content/privacy/data-rights";
import { dataRightsForm } from "~/content/privacy/data-rights-form";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { ItemList } from "~/ui/content/item-list";
import { Section } from "~/ui/content/section";
import { listMistakes } from "~/ui/forms/posted-fields";
import { DataRightsForm, type DataRightsFormProps } from "./data-rights-form";
import type { DataRightsRequest } from "#supabase/functions/_shared/data-rights-request";

interface DataRightsViewProps extends Omit<DataRightsFormProps, "state"> {
  /** result of the last post: mistakes and all input */
  lastResult: SubmissionResult | undefined;
}

/**
 * The data rights page: explanation, form, deadline, complaints, state laws of the United States, and help. A new `key`
 * resets the form.
 */
export function DataRightsView({ lastResult, ...shown }: DataRightsViewProps) {
  const state = useForm<DataRightsRequest>({ id: "data-rights", lastResult });
  const [form, { name, email, requestType, description }] = state;
  // A mistake of the whole form leads to its last field, just above the button.
  const mistakes = listMistakes([name, email, requestType, description], form, description);
  const { title, lead, rights, asking } = dataRightsPage;
  const { before, link, after } = dataRightsForm.direct;
  return (
    <article className="legal-page">
      <div className="wrap legal-head">
        <ErrorSummary mistakes={mistakes} />
        {/* On one line in the wider stand-in, too, so that the page below does not move. */}
        <h1 className={`text-(length:--text-hero) min-[22rem]:whitespace-nowrap ${mistakes.length > 0 ? "mt-10" : ""}`}>
          {title}
        </h1>
        <p className="mt-7 max-w-[33.5em] text-xl">{lead}</p>
      </div>
      <Section tone="mist" id="your-rights" title={rights.title}>
        <ItemList items={rights.items} />
      </Section>
      <Section id="make-a-request" title={asking.title} lead={asking.text}>
        <DataRightsForm state={state} {...shown} />
        <p className="mt-10 text-(--muted)">
          {before}
          <a href={link.path}>{link.label}</a>
          {after}
        </p>
      </Section>
      <DeadlineAndIdentity />
      <div className="band tone-paper">
        <div className="wrap legal-columns">
          <Complaints />
          <Explanation id="withdrawal" {...dataRightsPage.withdrawal} />
        </div>
      </div>
      <div className="band tone-mist">
        <div className="wrap legal-columns">
          <Explanation id="united-states" {...dataRightsPage.unitedStates} />
          <Explanation id="health" {...dataRightsPage.health} />
        </div>
      </div>
      <Help />
    </article>
  );
}

function DeadlineAndIdentity() {
  const { deadline, identity } = dataRightsPage;
  return (
    <div className="band tone-mist">
      <div className="wrap legal-columns">
        <section aria-labelledby="deadline-title">
          <h2 id="deadline-title">{deadline.title}</h2>
          <ul className="deadline">
            {deadline.steps.map(({ value, text }) => (
              <li key={value}>
                <strong>{value}</strong> {text}
              </li>
            ))}
          </ul>
          <p>{deadline.text}</p>
        </section>
        <section aria-labelledby="identity-title">
          <h2 id="identity-title">{identity.title}</h2>
          <p>{identity.text}</p>
        </section>
      </div>
    </div>
  );
}

function Complaints() {
  const { authority, ...complaints } = dataRightsPage.complaints;
  const { before, european, between, british, after } = authority;
  return (
    <Explanation id="complaints" {...complaints}>
      <p>
        {before}
        <a href={european.path}>{european.label}</a>
        {between}
        <a href={british.path}>{british.label}</a>
        {after}
      </p>
    </Explanation>
  );
}

interface ExplanationProps {
  id: string;
  title: string;
  paragraphs: readonly string[];
  children?: ReactNode;
}

function Explanation({ id, title, paragraphs, children }: ExplanationProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {paragraphs.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {children}
    </section>
  );
}

function Help() {
  const { title, before, link, after, policy } = dataRightsPage.help;
  return (
    <Section id="help" title={title}>
      <p className="legal-measure mt-5">
        {before}
        <a href={link.path}>{link.label}</a>
        {after}
      </p>
      <p className="legal-measure mt-4">
        {policy.before}
        <a href={policy.path}>{policy.label}</a>
        {policy.after}
      </p>
    </Section>
  );
}
