import { RemixBrowser } from "@remix-run/react";
import { type ReactNode, StrictMode, startTransition, useEffect, useLayoutEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { type PageMemory, rememberPage } from "~/lib/pages/page-memory";
import { DocumentPartsProvider, stylesId } from "~/ui/frame/document-parts";

const styles = document.getElementById(stylesId)?.textContent ?? undefined;

await decodePageData();
const pageMemory = rememberPage();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <TakeOver memory={pageMemory}>
        <DocumentPartsProvider value={{ styles }}>
          <RemixBrowser />
        </DocumentPartsProvider>
      </TakeOver>
    </StrictMode>,
  );
});

/** Keeps what visitors have done so far: people type before late scripts run. */
function TakeOver({ memory, children }: { memory: PageMemory; children: ReactNode }) {
  // If React gives up on the server's document, it starts over and looks again just before it replaces it.
  const [state] = useState(memory.look);
  useLayoutEffect(() => memory.putBack(state), [memory, state]);
  useEffect(() => {
    // Runs after ErrorSummary, which takes the focus in an effect and a frame.
    const frame = requestAnimationFrame(() => memory.putBackFocus(state));
    return () => cancelAnimationFrame(frame);
  }, [memory, state]);
  return children;
}

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
