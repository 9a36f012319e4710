import type { ReactNode } from "react";

/** Buttons that download a list as CSV. @param props.children a line above them */
export function CsvForm({ action, children }: { action: string; children?: ReactNode }) {
  return (
    <form method="post" action={action} className="flex flex-wrap gap-3">
      {children}
      <button name="separator" value="comma" className="button button-quiet">
        Download as CSV
      </button>{" "}
      <button name="separator" value="semicolon" className="button button-quiet">
        Download for Excel in Europe
      </button>
    </form>
  );
}
