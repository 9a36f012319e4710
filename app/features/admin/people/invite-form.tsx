import { TitledSection } from "~/ui/content/titled-section";
import type { AskedAddress } from "~/lib/pages/questioned-address";
import { QuestionedAddress } from "~/ui/forms/questioned-address";
import { SeenField } from "../shared/seen-field";
import { TextField } from "~/ui/forms/field";

/** An address as it was typed, and what is wrong with it. */
export interface TypedAddress {
  email: string;
  mistake: string | null;
  asked: AskedAddress | null;
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
        <input type="hidden" name="intent" value="invite" />
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
        <QuestionedAddress asked={failed?.asked ?? null} />
        <p>
          <button className="button">Send invitation</button>
        </p>
      </form>
    </TitledSection>
  );
}
