import { Notice } from "~/ui/frame/notice";

/** Facts that the firm has yet to supply, and the operator's command that lists them. */
interface MissingFacts {
  count: number;
  command: string;
}

/** Warns about placeholders on a public site. Renders nothing if there are none. */
export function MissingFactsNotice({ missing }: { missing: MissingFacts | null }) {
  if (missing === null || missing.count === 0) return null;
  const { count, command } = missing;
  return (
    <Notice
      tone="info"
      title="The public site shows placeholders"
      text={`${count === 1 ? "One fact" : `${count} facts`} about your firm ${count === 1 ? "is" : "are"} missing. On the server, “${command}” lists what is missing, and docs/operations/settings.md explains how to add it (“Your firm's facts”).`}
    />
  );
}
