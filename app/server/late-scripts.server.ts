/**
 * Rewrites a rendered page so that its scripts are fetched and run once everything it shows has loaded: it is complete
 * without them, and they must not compete with its first paint.
 *
 * Remix writes a module with static imports, which no attribute can hold back, so its text is kept as a string and
 * becomes a script on `load`. The elements stay where React expects them when it takes the page over.
 * @param html a whole document; one without scripts is returned as it is
 */
export function letScriptsWait(html: string): string {
  return html
    .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" media="not all"')
    .replace(moduleScript, (_, opening: string, code: string) => `${opening}>${runAfterLoad(code)}</script>`);
}

const moduleScript = /(<script nonce="[^"]*") type="module" async="">([\s\S]*?)<\/script>/;

function runAfterLoad(code: string): string {
  const text = JSON.stringify(code).replaceAll("<", "\\u003c");
  return [
    'addEventListener("load",()=>setTimeout(()=>{',
    'for(const link of document.querySelectorAll("link[rel=modulepreload]"))link.media="all";',
    'const script=document.createElement("script");script.type="module";',
    'script.nonce=document.querySelector("script[nonce]").nonce;',
    `script.textContent=${text};document.head.append(script)}))`,
  ].join("");
}
