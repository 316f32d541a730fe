// Turning: what can be chosen one after the other in place, before it is decided.
//   data-cycle       holds the choices; a click on it, R, or any data-cycle-step goes on by one
//   data-choice      one choice, whose data-preview is its action; the one shown has class "picked"
//   data-cycle-step  what a click on this goes on by: 1 or -1
//   data-cycle-do    a spot that stands for the choice shown: its data-action is kept right

/** Make what turns turn. */
export function start() {
  document.addEventListener("click", (event) => {
    const knob = event.target.closest("[data-cycle-step]");
    if (knob) step(Number(knob.dataset.cycleStep));
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=hidden]), textarea, select");
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key.toLowerCase() === "r" && plain && !typing) step(event.shiftKey ? -1 : 1);
  });
}

function step(by) {
  const choices = [...document.querySelectorAll("[data-cycle] [data-choice]")];
  if (choices.length < 2) return;
  const seen = choices.findIndex((el) => el.classList.contains("shown"));
  const now = seen >= 0 ? seen : choices.findIndex((el) => el.classList.contains("picked"));
  pick(choices, choices[(now + by + choices.length) % choices.length]);
}

function pick(choices, chosen) {
  for (const el of choices) {
    el.classList.toggle("picked", el === chosen);
    el.classList.remove("shown");
  }
  const action = chosen.dataset.preview;
  for (const el of document.querySelectorAll("[data-cycle-do]")) el.dataset.action = action;
  const buttons = [...document.querySelectorAll("button[name=do]")];
  for (const el of buttons) el.classList.toggle("lit", el.value === action);
  if (buttons.includes(document.activeElement)) buttons.find((el) => el.value === action)?.focus();
}
