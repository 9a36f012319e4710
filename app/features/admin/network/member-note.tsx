import { TallLink } from "~/ui/content/tall-link";
import { networkPath } from "./network-filters";

/** Says on a message that its sender asked to join the network, with a link to the member. Shows nothing otherwise. */
export function MemberNote({ memberId }: { memberId: string | null }) {
  if (memberId === null) return null;
  return (
    <p>
      <TallLink href={`${networkPath}/${memberId}`}>Asked to join the investor network</TallLink>
    </p>
  );
}
