// Named in the browser's console for whoever follows up a dead link (the specification's not-found page).
console.error("404 Error: page not found:", location.pathname);
