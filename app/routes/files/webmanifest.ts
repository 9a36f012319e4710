import { company } from "~/content/company";

const icons = [192, 512].flatMap((size) => {
  const picture = { sizes: `${size}x${size}`, type: "image/png" };
  return [
    { src: `/icon-${size}.png`, ...picture },
    { src: `/icon-maskable-${size}.png`, ...picture, purpose: "maskable" },
  ];
});

/** Serves the manifest for the home screen (W3C Web Application Manifest). The colors are the tokens of styles.css. */
export function loader(): Response {
  const manifest = {
    name: company.name,
    description: company.tagline,
    lang: "en-US",
    id: "/",
    start_url: "/",
    scope: "/",
    display: "browser",
    background_color: "#f7f4ec",
    theme_color: "#0f5c4a",
    icons,
  };
  return new Response(JSON.stringify(manifest), {
    headers: { "Content-Type": "application/manifest+json", "Cache-Control": "public, max-age=3600" },
  });
}
