import { createContext, useContext } from "react";

/** Where a page carries its stylesheet; the browser reads it back from there, so that both render the same document. */
export const stylesId = "site-styles";

/** What only the server knows while it renders a document; the browser takes the styles from the page and knows no mark. */
export interface DocumentParts {
  /** what this page's scripts carry as nonce until the policy names them (server/inline-scripts) */
  mark?: string;
  /** the whole stylesheet, carried within the page so that its first paint needs one round trip; none in development */
  styles?: string;
}

const DocumentPartsContext = createContext<DocumentParts>({});

/** Hands the parts to the document below. */
export const DocumentPartsProvider = DocumentPartsContext.Provider;

/** The parts of the document that is being rendered. */
export function useDocumentParts(): DocumentParts {
  return useContext(DocumentPartsContext);
}
