// Going to another page. Where another script shows the pages, as on the static site, it hears of it
// by the event `visit` and prevents what the browser would do.

/** Go to an address. */
export function visit(url) {
  if (asked(url)) location.assign(url);
}

/** Show this page anew. */
export function revisit() {
  if (asked(location.href)) location.reload();
}

const asked = (detail) => document.dispatchEvent(new CustomEvent("visit", { detail, cancelable: true }));
