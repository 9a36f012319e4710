import { type SubmissionResult, useForm } from "@conform-to/react";
import { memberPage, networkWords } from "~/content/pages/network";
import type { NetworkMemberChange } from "#supabase/functions/_shared/network-details";
import { networkLimits } from "#supabase/functions/_shared/network-fields";
import { linkAddress } from "~/lib/pages/link-address";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";
import { NetworkDetailFields, networkDetailNames } from "~/ui/forms/network-details";
import { fillControl, listMistakes } from "~/ui/forms/posted-fields";
import type { Membership } from "./membership.server";

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
  const order = [...texts, ...networkDetailNames].map((field) => fields[field]);
  return (
    <section className="mt-12">
      <h2 id="change" className="text-2xl">
        {memberPage.change.title}
      </h2>
      <p className="mt-2 mb-6">{memberPage.change.email}</p>
      <ErrorSummary mistakes={listMistakes(order, form)} />
      <form method="post" action={`${linkAddress("/network", token)}#change`} noValidate className="mt-6 grid gap-7">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="seen" value={version} />
        {texts.map((field) => (
          <TextField
            key={field}
            {...fillControl(fields[field])}
            label={networkWords.labels[field]}
            autoComplete={field === "name" ? "name" : "organization"}
            required
            limit={networkLimits[field]}
          />
        ))}
        <NetworkDetailFields fields={fields} words={networkWords} placeLimit={networkLimits.place} />
        <p>
          <button name="intent" value="change" className="button w-full sm:w-auto">
            {memberPage.change.submit}
          </button>
        </p>
      </form>
    </section>
  );
}
