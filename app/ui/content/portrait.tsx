import type { ReactNode } from "react";

/** Props of {@link Portrait}. */
export interface PortraitProps {
  /** address of the picture; null shows the initials */
  src: string | null;
  alt: string;
  initials: string;
  /** stands in the first view of a page */
  isEarly?: boolean;
}

/** The founder's picture, or the initials in the same frame. */
export function Portrait({ src, alt, initials, isEarly = false }: PortraitProps) {
  return src === null ? (
    <span aria-hidden="true" className="portrait">
      {initials}
    </span>
  ) : (
    <img src={src} alt={alt} width="480" height="560" loading={isEarly ? "eager" : "lazy"} className="portrait" />
  );
}

/** Props of {@link Face}. */
export interface FaceProps {
  photo: string | null;
  initials: string;
  /** the sentence beside the picture, which names the person */
  reads: string;
  /** follows the sentence */
  children?: ReactNode;
}

/** A round picture with one sentence, where a visitor decides to write. */
export function Face({ photo, initials, reads, children }: FaceProps) {
  return (
    <div className="face">
      <Portrait src={photo} alt="" initials={initials} />
      <p>
        {reads} {children}
      </p>
    </div>
  );
}
