// What this browser remembers between pages: small words by name. A browser that keeps nothing for
// anybody is asked every time.

const PREFIX = window.keptUnder ?? "diablerie."; // the static site has its own, as an origin may have several

/** Where a word lasts as long as its tab; else it lasts until somebody clears it. */
export const TAB = "sessionStorage";

/** What was kept under this name, "" if nothing. */
export function kept(name, where = "localStorage") {
  try {
    return window[where].getItem(PREFIX + name) ?? "";
  } catch {
    return "";
  }
}

/** Keep a word under a name. */
export function keep(name, word, where = "localStorage") {
  try {
    window[where].setItem(PREFIX + name, word);
  } catch {
    // not here, then
  }
}
