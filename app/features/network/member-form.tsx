import { type SubmissionResult, useForm } from "@conform-to/react";
import { memberPage, networkWords } from "~/content/pages/network";
import type { NetworkMemberChange } from "#supabase/functions/_shared/network-details";
import { networkLimits } from "#supabase/functions/_shared/network-fields";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";
import { type NetworkDetailControl, NetworkDetailFields, networkDetailNames } from "~/ui/forms/network-details";
import type { Membership } from "./membership.server";
import { networkAddress } from "./network-address";

/** Props of {@link MemberForm}. */
export interface MemberFormProps {
  token: string;
  membership: Membership;
  /** result of the last post: mistakes and all input */
  lastResult: SubmissionResult | undefined;
}

/** The form with which a member changes their details. Works without scripts. */
export function MemberForm({ token, membership, lastResult }: MemberFormProps) {
  const { check_size, kind, fields: kept, place, qualification, name, company, version } = membership;
  const [form, fields] = useForm<NetworkMemberChange>({
    id: "member",
    lastResult,
    defaultValue: { name, company, kind, fields: kept, checkSize: check_size, place, qualification },
  });
  const texts = ["name", "company"] as const;
  const mistakes = [...texts, ...networkDetailNames].flatMap((field) => {
    const text = fields[field].errors?.[0];
    return text ? [{ controlId: fields[field].id, text }] : [];
  });
  if (form.errors?.[0]) mistakes.unshift({ controlId: fields.name.id, text: form.errors[0] });
  const control = (field: keyof NetworkMemberChange): NetworkDetailControl => ({
    id: fields[field].id,
    name: field,
    value: fields[field].initialValue as string | string[] | undefined,
    error: fields[field].errors?.[0],
  });
  return (
    <section className="mt-12">
      <h2 id="change" className="text-2xl">
        {memberPage.change.title}
      </h2>
      <p className="mt-2 mb-6">{memberPage.change.email}</p>
      <ErrorSummary mistakes={mistakes} />
      <form method="post" action={`${networkAddress(token)}#change`} noValidate className="mt-6 grid gap-7">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="seen" value={version} />
        {texts.map((field) => (
          <TextField
            key={field}
            id={fields[field].id}
            name={field}
            label={networkWords.labels[field]}
            autoComplete={field === "name" ? "name" : "organization"}
            required
            limit={networkLimits[field]}
            defaultValue={fields[field].initialValue}
            error={fields[field].errors?.[0]}
          />
        ))}
        <NetworkDetailFields
          controls={{
            kind: control("kind"),
            fields: control("fields"),
            checkSize: control("checkSize"),
            place: control("place"),
            qualification: control("qualification"),
          }}
          words={networkWords}
          placeLimit={networkLimits.place}
        />
        <p>
          <button name="intent" value="change" className="button w-full sm:w-auto">
            {memberPage.change.submit}
          </button>
        </p>
      </form>
    </section>
  );
}
