/** Defers a page's module preloads until it has been painted: scripts must not compete with that. */
export function deferModulePreloads(html: string): string {
  return html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" media="not all"');
}

/**
 * Wraps a module's text in a script that runs it after `load` and a painted frame: a fast line brings everything before the browser has
 * painted anything, and the second frame begins when the first is done. In a background tab it runs once somebody looks. Remix writes a
 * module with static imports, which no attribute can hold back, so its text is kept as a string; the element stays where React expects
 * it when it takes the page over. The policy must allow both this script and the module.
 */
export function wrapLateScript(code: string): string {
  const text = JSON.stringify(code).replaceAll("<", "\\u003c");
  return [
    'addEventListener("load",()=>requestAnimationFrame(()=>requestAnimationFrame(()=>setTimeout(()=>{',
    'for(const link of document.querySelectorAll("link[rel=modulepreload]"))link.media="all";',
    'const script=document.createElement("script");script.type="module";',
    `script.textContent=${text};document.head.append(script)}))))`,
  ].join("");
}
