import type { ReactNode } from "react";
import { Icon } from "../content/icon";

/** Props of {@link Notice}: text and urgency. */
export interface NoticeProps {
  tone: "success" | "info" | "error";
  title: string;
  text: string;
  /** link to act on the notice */
  link?: { label: string; path: string };
}

/**
 * A notice at the top of the page (REQUIREMENTS 9.1). It stays until the next page, because people who read slowly,
 * zoom in or have no scripts would miss a toast.
 */
export function Notice({ tone, title, text, link, children }: NoticeProps & { children?: ReactNode }) {
  const edge = tone === "error" ? "border-(--danger)" : "border-(--accent)";
  const color = tone === "error" ? "text-(--danger)" : "text-(--accent)";
  return (
    <div
      role={tone === "error" ? "alert" : "status"}
      className={`flex items-start gap-3 rounded-lg border-2 bg-(--raised) px-5 py-4 ${edge}`}
      data-notice={tone}
    >
      <span className={`mt-0.5 ${color}`}>
        <Icon name={tone} />
      </span>
      <div>
        <p className={`font-semibold ${color}`}>{title}</p>
        {text ? <p>{text}</p> : null}
        {children}
        {link ? (
          <p>
            <a href={link.path} className="inline-block py-2.5">
              {link.label}
            </a>
          </p>
        ) : null}
      </div>
    </div>
  );
}
