import { type SubmissionResult, getFormProps, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { Fragment, type ReactNode, useState } from "react";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { type ContactVariant, contactPage as copy } from "~/content/pages/contact";
import type { AskedAddress } from "~/lib/pages/questioned-address";
import { QuestionedAddress } from "~/ui/forms/questioned-address";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextAreaField, TextField } from "~/ui/forms/field";
import { networkDetailNames } from "~/ui/forms/network-details";
import { fillControl, listMistakes } from "~/ui/forms/posted-fields";
import { SelectField } from "~/ui/forms/select-field";
import { TrapField } from "~/ui/forms/trap-field";
import { ConsentBox } from "./consent-box";
import { NetworkBox, joinBoxName } from "./network-box";
import type { JoiningMessage } from "#supabase/functions/_shared/contact-message";

/**
 * Props of {@link ContactForm}. The server validates it, so that no validation library reaches the browser.
 */
export interface ContactFormProps {
  /** result of the last post: mistakes and all input */
  lastResult: SubmissionResult | undefined;
  askedAddress: AskedAddress | null;
  isSending: boolean;
  /** the page's own address */
  action: string;
  /** for visitors whose link names their audience */
  variant: ContactVariant | undefined;
  /** shows the box to join the investor network */
  isForInvestors: boolean;
  /** shown between the error summary and the fields */
  children: ReactNode;
}

/** The contact form (REQUIREMENTS 3). Works without scripts. */
export function ContactForm(props: ContactFormProps) {
  const { lastResult, askedAddress, isSending, action, variant, isForInvestors, children } = props;
  const [form, fields] = useForm<JoiningMessage & { [joinBoxName]?: string }>({
    id: "contact",
    lastResult,
    // Only at first: after a mistake, the result has what the visitor chose.
    defaultValue: variant && { stage: variant.stage, goal: variant.goal },
  });
  const [isConsentMissing, setConsentMissing] = useState(false);
  const order = [
    ...contactFieldList.map(([name]) => fields[name]),
    ...(isForInvestors ? networkDetailNames.map((name) => fields[name]) : []),
    fields.privacyConsent,
  ];
  return (
    <>
      <ErrorSummary mistakes={listMistakes(order, form, fields.message)} />
      {children}
      <Form {...getFormProps(form)} method="post" action={action} noValidate className="grid gap-7">
        {contactFieldList.map(([name, { kind, label: defaultLabel, limit, isOptional, autoComplete }]) => {
          const label = variant?.labels?.[name] ?? defaultLabel;
          const { hint, choices } = copy.help[name] ?? {};
          const shared = {
            hint: variant?.hints?.[name] ?? hint,
            label: isOptional ? `${label} ${copy.optional}` : label,
            ...fillControl(fields[name]),
            required: !isOptional,
          };
          if (choices) {
            return (
              <SelectField
                key={name}
                {...shared}
                placeholder={copy.choose}
                options={listOptions(choices, fields[name].initialValue)}
              />
            );
          }
          if (kind === "paragraphs") return <TextAreaField key={name} {...shared} limit={limit} rows={8} />;
          const type = kind === "email" ? "email" : "text";
          return (
            <Fragment key={name}>
              <TextField {...shared} limit={limit} type={type} autoComplete={autoComplete} />
              {kind === "email" ? <QuestionedAddress asked={askedAddress} /> : null}
            </Fragment>
          );
        })}
        <TrapField label={copy.trap} defaultValue={fields.honeypot.initialValue} />
        {isForInvestors ? (
          <NetworkBox
            checkedAtFirst={fields[joinBoxName].initialValue === "on"}
            details={fields}
            isDetailed={variant?.joining !== undefined}
          />
        ) : null}
        <ConsentBox
          id={fields.privacyConsent.id}
          name={fields.privacyConsent.name}
          checkedAtFirst={fields.privacyConsent.initialValue === "on"}
          error={fields.privacyConsent.errors?.[0]}
          onChange={setConsentMissing}
        />
        <p className="send">
          <button className="button w-full sm:w-auto" disabled={isSending || isConsentMissing}>
            {isSending ? copy.sending : copy.send}
          </button>{" "}
          <span className="check-first">{copy.checkFirst}</span>
        </p>
      </Form>
    </>
  );
}

/** Adds a posted value that is not among the choices, as programs send, so that it survives a mistake elsewhere. */
function listOptions(choices: readonly string[], posted: string | undefined) {
  const all = posted === undefined || posted === "" || choices.includes(posted) ? choices : [...choices, posted];
  return all.map((value) => ({ value, label: value }));
}
