import { networkPath } from "./network-filters";

/** Says on a message that its sender asked to join the network, with a link to the member. Shows nothing otherwise. */
export function MemberNote({ memberId }: { memberId: string | null }) {
  if (memberId === null) return null;
  return (
    <p>
      <a href={`${networkPath}/${memberId}`} className="inline-flex min-h-11 items-center">
        Asked to join the investor network
      </a>
    </p>
  );
}
