/** A whole-page failure: what happened, what to do, and how to refer to it. */
export interface ErrorPageProps {
  status: number;
  title: string;
  text: string;
  /** shown so that a visitor can report the failure to the firm; null where there is nothing to report */
  requestId: string | null;
}

/** The body of every error page, not-found included. */
export function ErrorPage({ status, title, text, requestId }: ErrorPageProps) {
  return (
    <div className="wrap py-16 md:py-28">
      <h1 className="text-(length:--text-hero)">{title}</h1>
      <p className="mt-6 max-w-[60ch] text-xl">{text}</p>
      {requestId ? (
        <p className="mt-4 text-(--muted)">
          If it keeps happening, tell us this number: <code>{requestId}</code>
        </p>
      ) : null}
      <p className="mt-10">
        <a className="button" href="/">
          {status === 404 ? "Return to Home" : "Go to the home page"}
        </a>
      </p>
    </div>
  );
}
