import { Notice } from "~/ui/frame/notice";

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
