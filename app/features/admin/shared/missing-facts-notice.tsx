import { Notice } from "~/ui/frame/notice";

/** Warns about placeholders on a public site. Renders nothing if there are none. */
export function MissingFactsNotice({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Notice
      tone="info"
      title="The public site shows placeholders"
      text={`${count === 1 ? "One fact" : `${count} facts`} about your firm ${count === 1 ? "is" : "are"} missing. Contact your site operator: the command “doctor --strict” lists what is missing, and docs/operations/settings.md explains how to add it (“Your firm's facts”).`}
    />
  );
}
