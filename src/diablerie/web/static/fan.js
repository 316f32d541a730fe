// Heaps: of a [data-fan] a click shows what it holds, the [data-fan-of] its key, over the board; any
// other click and the Escape key fold it away again.

import { onFrame } from "./frames.js";

let open = "";

/** Make heaps spread out. */
export function start() {
  document.addEventListener("click", ({ target }) => {
    const heap = target.closest("[data-region=board] [data-fan]")?.dataset.fan ?? "";
    show(heap === open ? "" : heap);
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !open) return;
    document.querySelector(`[data-fan="${CSS.escape(open)}"]`)?.focus();
    show("");
  });
  onFrame(() => show(open));
  show("");
}

function show(heap) {
  open = heap;
  for (const el of document.querySelectorAll("[data-fan-of]")) el.classList.toggle("open", el.dataset.fanOf === open);
  for (const el of document.querySelectorAll("[data-fan]")) el.setAttribute("aria-expanded", el.dataset.fan === open);
}
