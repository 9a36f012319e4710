/** Defers a page's module preloads until after the first paint, so that scripts do not delay it. */
export function deferModulePreloads(html: string): string {
  return html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" media="not all"');
}

/**
 * Wraps a module's code in a script that runs it after `load` and the first paint. On a fast connection, `load` fires
 * before the first paint, so the script waits for the second animation frame. In a background tab, the code runs once
 * the tab is visible. Remix writes a module with static imports, which no attribute can defer, so the script holds the
 * code as a string. The script element stays where React expects it during hydration. The policy must allow both this
 * script and the module.
 */
export function deferModule(code: string): string {
  const text = JSON.stringify(code).replaceAll("<", "\\u003c");
  return [
    'addEventListener("load",()=>requestAnimationFrame(()=>requestAnimationFrame(()=>setTimeout(()=>{',
    'for(const link of document.querySelectorAll("link[rel=modulepreload]"))link.media="all";',
    'const script=document.createElement("script");script.type="module";',
    `script.textContent=${text};document.head.append(script)}))))`,
  ].join("");
}
