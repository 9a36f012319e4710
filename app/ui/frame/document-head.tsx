import { Links, Meta } from "@remix-run/react";
import type { ReactNode } from "react";
import { stylesId, useDocumentParts } from "./document-parts";

/**
 * The `<head>` of every page: the route's metadata and the styles (docs/decisions/0003-scripts-by-exception.md).
 * @param stylesAddress address of the shared style sheet, linked if it is not inlined (development)
 * @param children style sheets of this kind of page; they come last, so that they win
 */
export function DocumentHead({
  isMissing,
  stylesAddress,
  children,
}: {
  isMissing: boolean;
  stylesAddress: string;
  children: ReactNode;
}) {
  const { styles } = useDocumentParts();
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="theme-color" content="#f7f4ec" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#0b1613" media="(prefers-color-scheme: dark)" />
      <Meta />
      <Links />
      {isMissing ? <script src="/not-found.js" defer /> : null}
      {styles === undefined ? (
        <link rel="stylesheet" href={stylesAddress} />
      ) : (
        <style id={stylesId} dangerouslySetInnerHTML={{ __html: styles }} />
      )}
      {children}
    </head>
  );
}
