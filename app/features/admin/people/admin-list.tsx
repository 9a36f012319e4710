import { countOf } from "~/lib/count-of";
import { PostButton } from "~/ui/forms/post-button";
import { TitledSection } from "~/ui/content/titled-section";
import type { PostedField } from "~/server/forms/admin-refusal.server";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";
import { Question } from "../shared/question";
import type { People } from "./people.server";
import { PersonLog } from "./person-log";

/** All admins with their start, last sign-in and sessions. Admins can remove anyone but themselves, in two steps. */
export function AdminList({ admins, version }: Pick<People, "admins" | "version">) {
  const formatInstant = useInstantFormat();
  return (
    <TitledSection id="admins" title="Admins">
      <ul className="mt-3 grid gap-4">
        {admins.map((admin) => (
          <li key={admin.id} className="grid gap-2 rounded-xl border border-(--line) bg-(--raised) p-6">
            <p className="font-semibold wrap-anywhere">
              {admin.email}
              {admin.is_self ? <span className="font-normal text-(--muted)"> (You)</span> : null}
            </p>
            <p className="text-(--muted)">
              {[
                `Admin since ${formatInstant(admin.since)}`,
                admin.last_sign_in ? `Last signed in on ${formatInstant(admin.last_sign_in)}` : "Has not signed in yet",
                admin.sessions === 0 ? "Not signed in anywhere" : `Signed in on ${countOf(admin.sessions, "device")}`,
              ].join(" · ")}
            </p>
            {admin.refusal ? (
              <p>
                <strong className="text-(--danger)">{`Link to a new password not delivered: ${describeRefusal(admin.refusal)}.`}</strong>
                {" They can ask for another on the login page, or your site operator can print one."}
              </p>
            ) : null}
            <PersonLog email={admin.email} events={admin.events} />
            {admin.is_self ? null : (
              <PostButton
                action="/admin/people"
                intent="remove"
                fields={{ id: admin.id, seen: version }}
                label="Remove"
                name={`Remove ${admin.email}`}
              />
            )}
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}

/** Asks before an admin is removed, and says what that ends. */
export function RemovalQuestion({ admins, fields }: Pick<People, "admins"> & { fields: readonly PostedField[] }) {
  const admin = admins.find(({ id }) => fields.some(({ name, value }) => name === "id" && value === id));
  const { email = "this person", invitations = 0 } = admin ?? {};
  const ended = ["", " One open invitation that they sent will end."][invitations];
  return (
    <Question button="Yes, remove this admin" action="/admin/people">
      <p>{`This signs ${email} out everywhere. They can’t open the admin area again unless an admin invites them.${ended ?? ` ${invitations} open invitations that they sent will end.`} Everything they did stays.`}</p>
    </Question>
  );
}
