/** The firm's mark: the vital line, small. */
export function BrandMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 48 24" className="h-6 w-12 fill-none stroke-(--accent)" strokeWidth="2.5">
      <path d="M1 17h11l4-11 6 15 5-9 4 5c6 0 10-5 16-13" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
