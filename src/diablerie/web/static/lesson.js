// Lessons: a spot on the board is as good as the button that says the same.

import { choose } from "./choose.js";
import { play, snapshot, still } from "./motion.js";

/** Send what was decided on the board as the answer to this step. */
export function answer(form, action) {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: "do", value: action });
  form.append(field);
  form.submit();
}

/** Where something is chosen before it is moved, begin with what the step is about; tell what comes in beats. */
export function start() {
  const mark = document.querySelector("[data-wanted]")?.closest("[data-for]");
  if (mark) choose(mark.dataset.for);
  const board = document.querySelector("[data-region=board]");
  const known = document.querySelector("[data-lesson=known]"); // the step before has told it
  if (still() || known || !board.querySelector("[data-pacer]")) return;
  const shown = snapshot(board);
  for (const el of board.querySelectorAll("[data-beat]")) shown.entered.delete(el.id); // it is still to come
  play(board, shown);
}
