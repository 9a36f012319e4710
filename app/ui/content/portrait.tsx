/** The founder's picture. Whatever its shape, it takes the room of the drawn figure that keeps its place until the firm supplies it. */
export function Portrait({ src, alt }: { src: string; alt: string }) {
  return <img src={src} alt={alt} width="480" height="560" className="portrait" />;
}
