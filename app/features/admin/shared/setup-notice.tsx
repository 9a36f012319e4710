import { Notice } from "~/ui/frame/notice";

/** Setup warning shown while the database does not trust its clock (`private.retention_waits`). */
export const retentionWaits = {
  event: "retention.waits",
  text: "The server’s clock went back, or jumped ahead by more than two weeks. For a day, nothing is deleted because of its age, so that you can correct a wrong clock.",
  see: "docs/operations/trouble.md, “A clock that jumps”",
};

/** Lists mistakes in the site's setup, each with the documentation that explains the fix. */
export function SetupNotice({ warnings }: { warnings: readonly { event: string; text: string; see: string }[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="info" title="Check the setup of this site" text="">
      <ul className="mt-1 list-disc space-y-2 pl-4">
        {warnings.map(({ event, text, see }) => (
          <li key={event}>
            {text} See {see}.
          </li>
        ))}
      </ul>
    </Notice>
  );
}
