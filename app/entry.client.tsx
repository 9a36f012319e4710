import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { DocumentPartsProvider, stylesId } from "~/ui/frame/document-parts";

const styles = document.getElementById(stylesId)?.textContent ?? undefined;

decodePageData().then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <DocumentPartsProvider value={{ styles }}>
          <RemixBrowser />
        </DocumentPartsProvider>
      </StrictMode>,
    );
  }),
);

/**
 * Remix decodes the page's data in its first rendering and suspends the whole document meanwhile. A key or a click at
 * that moment would break React's taking over (its error 345), and with late scripts visitors are busy by then. Called
 * once before React begins, the component does nothing but start decoding and throw what it waits for.
 */
async function decodePageData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (waiting) {
    if (waiting instanceof Promise) await waiting;
  }
}
