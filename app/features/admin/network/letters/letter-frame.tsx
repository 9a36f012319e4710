import type { ReactNode } from "react";
import { AdminFrame } from "../../shared/admin-frame";

/** Props of {@link LetterFrame}. */
export interface LetterFrameProps {
  title: string;
  /** link above the title */
  back: { label: string; path: string };
  children: ReactNode;
}

/** Frame of the pages of one letter. */
export function LetterFrame({ title, back, children }: LetterFrameProps) {
  return (
    <AdminFrame
      subtitle={title}
      area="network"
      ways={
        <nav aria-label="Letters" className="message-ways">
          <a href={back.path}>{`← ${back.label}`}</a>
        </nav>
      }
    >
      {children}
    </AdminFrame>
  );
}
