// Folding: a list of what the picture offers too is folded away; who opens one finds the next open.

import { onFrame } from "./frames.js";
import { keep, kept } from "./kept.js";

const LISTS = "lists"; // "open" if they are to be open

/** Fold the lists there are, and those to come. */
export function start() {
  document.addEventListener("click", (event) => {
    const summary = event.target.closest("[data-fold] > summary");
    if (summary) keep(LISTS, summary.parentElement.open ? "" : "open"); // it is about to be the other
  });
  onFrame(fold);
  fold();
}

// Each list once: what a reader has opened or shut since then stays so.
const seen = new WeakSet();

function fold() {
  for (const list of document.querySelectorAll("[data-fold]")) {
    if (!seen.has(list)) list.open = kept(LISTS) === "open";
    seen.add(list);
  }
}
