/** Handles every address without a route. */
export function loader(): never {
  throw new Response(null, { status: 404, statusText: "Not Found" });
}

export function action(): never {
  throw new Response(null, { status: 404, statusText: "Not Found" });
}

export default function NotFoundPage() {
  return null;
}
