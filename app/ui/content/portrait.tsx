/** A drawn figure that keeps the founder's place until the firm supplies a photograph (replace public/founder.svg). */
export function Portrait({ alt }: { alt: string }) {
  return <img src="/founder.svg" alt={alt} width="480" height="560" className="portrait" />;
}
