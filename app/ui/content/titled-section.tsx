import type { ReactNode } from "react";

/** Props of {@link TitledSection}. */
export interface TitledSectionProps {
  /** HTML id of the title */
  id: string;
  title: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A section of a page, named by its title. */
export function TitledSection({ id, title, className, children }: TitledSectionProps) {
  return (
    <section aria-labelledby={id} className={className}>
      <h3 id={id} className="text-xl">
        {title}
      </h3>
      {children}
    </section>
  );
}
