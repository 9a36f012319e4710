import { Notice } from "~/ui/frame/notice";

/** Warns about placeholders on a public site. Renders nothing if there are none. */
export function MissingFactsNotice({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Notice
      tone="info"
      title="Placeholders stand on the public site"
      text={`${count === 1 ? "One fact" : `${count} facts`} about the firm ${count === 1 ? "is" : "are"} still to be supplied. Tell whoever runs this site: “npm run check:content” lists them, and docs/OPERATIONS.md says where they go (“Your firm’s facts”).`}
    />
  );
}
