import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { DocumentPartsProvider, stylesId } from "./ui/document-parts";

const styles = document.getElementById(stylesId)?.textContent ?? undefined;

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <DocumentPartsProvider value={{ styles }}>
        <RemixBrowser />
      </DocumentPartsProvider>
    </StrictMode>,
  );
});
