import type { ReactNode } from "react";

/** A link on a line of its own, or beside others, tall enough to be hit with a thumb. */
export function TallLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="inline-flex min-h-11 items-center wrap-anywhere">
      {children}
    </a>
  );
}
