import { createContext, useContext } from "react";

/** Id of the inlined style sheet. The browser reads it back from there, so that both sides render the same document. */
export const stylesId = "site-styles";

/**
 * Values that only the server knows while it renders a document. The browser takes the styles from the page and has no
 * mark.
 */
export interface DocumentParts {
  /** nonce placeholder of this page's scripts until the policy lists their hashes (server/document/inline-scripts) */
  mark?: string;
  /** the whole style sheet, inlined so that the first paint needs one round trip; none in development */
  styles?: string;
}

const DocumentPartsContext = createContext<DocumentParts>({});

/** Provides the parts to the document. */
export const DocumentPartsProvider = DocumentPartsContext.Provider;

/** Returns the parts of the document that is being rendered. */
export function useDocumentParts(): DocumentParts {
  return useContext(DocumentPartsContext);
}
