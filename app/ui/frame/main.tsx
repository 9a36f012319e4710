import { type ReactNode, createContext, useContext } from "react";

const leadContext = createContext<ReactNode>(null);

/** Provides what every page shows at the beginning of its main part, such as the notice after a redirect. */
export const MainLead = leadContext.Provider;

/** The main part of a page. The document adds it, except in the admin area, whose frame has its own header before it. */
export function Main({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="grow outline-none">
      {useContext(leadContext)}
      {children}
    </main>
  );
}
