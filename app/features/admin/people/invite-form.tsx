import { TitledSection } from "~/ui/content/titled-section";
import { QuestionedAddress } from "~/ui/forms/questioned-address";
import { SeenField } from "../shared/seen-field";
import { TextField } from "~/ui/forms/field";

/** An address as it was typed, and what is wrong with it. */
export interface TypedAddress {
  email: string;
  mistake: string | null;
  /** address that the admin was asked to check */
  asked: string | null;
}

/** Content of the invitation form. */
export interface InviteFormProps {
  /** rejected input, else null */
  failed: Partial<TypedAddress> | null;
  /** version of the list of people */
  version: number;
}

/** One address and a button. Works without scripts. */
export function InviteForm({ failed, version }: InviteFormProps) {
  return (
    <TitledSection id="invite" title="Invite an admin">
      <p className="mt-2 max-w-[43.5em]">Admins can read and answer everything, and invite and remove other admins.</p>
      <form method="post" action="/admin/people" noValidate className="mt-4 grid max-w-xl gap-6">
        <SeenField version={version} />
        <TextField
          label="Email address"
          hint="The invitation works once, for 72 hours."
          id="invite-email"
          name="email"
          type="email"
          required
          defaultValue={failed?.email}
          error={failed?.mistake ?? undefined}
        />
        <QuestionedAddress address={failed?.asked ?? null} />
        <p>
          <button name="intent" value="invite" className="button">
            Send invitation
          </button>
        </p>
      </form>
    </TitledSection>
  );
}
