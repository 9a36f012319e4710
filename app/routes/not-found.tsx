/** Handles every address without a route of its own. */
export function loader(): never {
  throw new Response(null, { status: 404, statusText: "Not Found" });
}

export function action(): never {
  throw new Response(null, { status: 404, statusText: "Not Found" });
}

export default function NotFoundPage() {
  return null;
}
