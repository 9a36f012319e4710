import { lostLinkPage as copy } from "~/content/pages/network";
import { QuestionedAddress } from "~/ui/forms/questioned-address";
import { TextField } from "~/ui/forms/field";

/** Result of a post that was refused. */
export interface LostLinkFailure {
  /** the posted address */
  email: string;
  /** mistake in the address, or null */
  mistake: string | null;
  /** failure of the whole form, or null */
  text: string | null;
  /** the address that the visitor was asked to check, or null */
  asked: string | null;
}

/** The form that emails a member the link to their page. Works without scripts. */
export function LostLinkForm({ failure }: { failure: LostLinkFailure | null }) {
  return (
    <>
      <form method="post" action="/network" noValidate className="mt-8 grid gap-6">
        <TextField
          label={copy.email}
          id="email"
          name="email"
          type="email"
          autoComplete="email"
          required
          defaultValue={failure?.email}
          error={failure?.mistake ?? undefined}
        />
        <QuestionedAddress address={failure?.asked ?? null} />
        <p>
          <button className="button w-full sm:w-auto">{copy.submit}</button>
        </p>
      </form>
      <p className="mt-6">
        {copy.join.before}
        <a href={copy.join.path}>{copy.join.label}</a>
      </p>
    </>
  );
}
