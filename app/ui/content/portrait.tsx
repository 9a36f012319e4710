/**
 * The founder's picture. Reserves the space of the built-in drawing, which is shown until the firm supplies a picture.
 */
export function Portrait({ src, alt }: { src: string; alt: string }) {
  return <img src={src} alt={alt} width="480" height="560" className="portrait" />;
}
