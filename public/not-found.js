// Logs the path to the browser's console, which helps to follow up a dead link (specification, not-found page).
console.error("404 Error: page not found:", location.pathname);
