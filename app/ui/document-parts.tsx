import { createContext, useContext } from "react";

/** What only the server knows while it renders a document; in the browser all of it is undefined. */
export interface DocumentParts {
  /** the nonce that this page's scripts must carry */
  nonce?: string;
  /** the whole stylesheet of a page that carries it within, so that its first paint needs one round trip */
  styles?: string;
}

const DocumentPartsContext = createContext<DocumentParts>({});

/** Hands the parts to the document below. */
export const DocumentPartsProvider = DocumentPartsContext.Provider;

/** The parts of the document that is being rendered. */
export function useDocumentParts(): DocumentParts {
  return useContext(DocumentPartsContext);
}
