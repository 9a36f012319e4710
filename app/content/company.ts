/** The firm, as every page, mail and policy names it: change it here and nowhere else. */
export const company = {
  /** a neutral working name until the firm supplies its own */
  name: "Vital Line Advisory",
  tagline: "Strategic advisory and AI transformation for healthcare and wellness ventures",
  /** a placeholder (`.example` is reserved, RFC 2606) until the firm supplies its own */
  email: "hello@vital-line.example",
} as const;
