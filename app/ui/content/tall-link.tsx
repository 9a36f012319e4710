import type { ReactNode } from "react";

/** A link outside a paragraph, tall enough for a thumb. */
export function TallLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="inline-flex min-h-11 items-center wrap-anywhere">
      {children}
    </a>
  );
}
