const paths = {
  success: "M4 12.5l5 5L20 6.5",
  error: "M12 6v8m0 3.5v.5",
  info: "M12 10.5v8m0-12v.5",
} as const;

/** A decorative line icon. The text beside it carries the meaning. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="h-5 w-5 shrink-0" fill="none" stroke="currentColor">
      <circle cx="12" cy="12" r="11" strokeWidth="1.5" />
      <path
        d={paths[name]}
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        transform="translate(3 3) scale(.75)"
      />
    </svg>
  );
}
