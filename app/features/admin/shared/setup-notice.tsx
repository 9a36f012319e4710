import { Notice } from "~/ui/frame/notice";

/** Shows each mistake in how the site is set up, with the page of the documentation that says what to do. */
export function SetupNotice({ warnings }: { warnings: readonly { event: string; text: string; see: string }[] }) {
  return warnings.map(({ event, text, see }) => (
    <Notice key={event} tone="info" title="Check how this site is set up" text={`${text} See ${see}.`} />
  ));
}
