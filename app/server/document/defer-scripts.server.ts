/**
 * Rewrites the links of a rendered page so that its scripts are not fetched before everything it shows has loaded: it is
 * complete without them, and they must not compete with its first paint.
 */
export function letLinksWait(html: string): string {
  return html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" media="not all"');
}

/**
 * Wraps a module's text in a script that runs it on `load`. Remix writes a module with static imports, which no
 * attribute can hold back, so its text is kept as a string; the element stays where React expects it when it takes the
 * page over. The policy must allow both this script and the module.
 */
export function wrapLateScript(code: string): string {
  const text = JSON.stringify(code).replaceAll("<", "\\u003c");
  return [
    'addEventListener("load",()=>setTimeout(()=>{',
    'for(const link of document.querySelectorAll("link[rel=modulepreload]"))link.media="all";',
    'const script=document.createElement("script");script.type="module";',
    `script.textContent=${text};document.head.append(script)}))`,
  ].join("");
}
