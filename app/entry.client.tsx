import { RemixBrowser } from "@remix-run/react";
import { type ReactNode, StrictMode, startTransition, useEffect, useLayoutEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { type PageMemory, rememberPage } from "~/lib/pages/page-memory";
import { DocumentPartsProvider, stylesId } from "~/ui/frame/document-parts";

const styles = document.getElementById(stylesId)?.textContent ?? undefined;

// Nothing waits for the end of an answer. Firefox reports one that has not ended when its page is left.
addEventListener("unhandledrejection", (event) => {
  if (String(event.reason) === "TypeError: Error in input stream") event.preventDefault();
});

await decodePageData();
const pageMemory = rememberPage();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <PreservePageState memory={pageMemory}>
        <DocumentPartsProvider value={{ styles }}>
          <RemixBrowser />
        </DocumentPartsProvider>
      </PreservePageState>
    </StrictMode>,
  );
});

/** Preserves the state of the page during hydration: visitors type before deferred scripts run. */
function PreservePageState({ memory, children }: { memory: PageMemory; children: ReactNode }) {
  // If React discards the server's document, it renders again, and this reads the state just before the replacement.
  const [state] = useState(memory.look);
  useLayoutEffect(() => memory.putBack(state), [memory, state]);
  useEffect(() => {
    // Runs after ErrorSummary, which takes the focus one frame after its effect.
    const frame = requestAnimationFrame(memory.putBackFocus);
    return () => cancelAnimationFrame(frame);
  }, [memory]);
  return children;
}

/**
 * Decodes the page's data before hydration. Remix decodes it in the first render and suspends the whole document
 * meanwhile. A key press or click at that moment would break hydration (React error 345), and with deferred scripts
 * visitors are active by then. Called once before React starts, the component only starts decoding and throws the
 * promise.
 */
async function decodePageData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (promise) {
    if (promise instanceof Promise) await promise;
  }
}
