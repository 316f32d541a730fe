// What this browser remembers between pages: small words by name. A browser that keeps nothing for
// anybody is asked every time.

const PREFIX = "diablerie.";

/** What was kept under this name, "" if nothing. */
export function kept(name) {
  try {
    return localStorage.getItem(PREFIX + name) ?? "";
  } catch {
    return "";
  }
}

/** Keep a word under a name. */
export function keep(name, word) {
  try {
    localStorage.setItem(PREFIX + name, word);
  } catch {
    // not here, then
  }
}
