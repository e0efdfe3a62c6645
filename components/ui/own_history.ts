/**
 * Keeps Fresh from reloading the page on back and forward. Fresh does so within a document because
 * it finds no partials here; a page that imports this restores its own state. Listeners run in the
 * order they are added, and Fresh adds its own later, with its boot module.
 */
function onNavigate(event: NavigateEvent) {
  const { sameDocument, url } = event.destination;
  if (event.navigationType !== "traverse" || !sameDocument) return;
  if (new URL(url).pathname === location.pathname) event.stopImmediatePropagation();
}

// The server has no Navigation API, and neither do all browsers.
const navigation = globalThis.navigation as Navigation | undefined;
navigation?.addEventListener("navigate", onNavigate);
