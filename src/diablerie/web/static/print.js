// The button of a page of paper. The static site shows pages in a frame, which prints itself alone.

/** Show the button, and print when it is pressed. */
export function start() {
  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
}
