// Fields: the slider goes with its number, links are copied, progress is followed.

const partner = (field) =>
  field.closest("[data-amount]").querySelector(field.matches("[data-slider]") ? "[name=amount]" : "[data-slider]");

/** Follow the rules being compiled, on the landing page. */
export async function follow() {
  const bars = [...document.querySelectorAll("[data-compiling]")];
  while (bars.some((bar) => bar.value < bar.max)) {
    await new Promise((later) => setTimeout(later, 1000));
    const answer = await fetch("/healthz").catch(() => null);
    const { rules } = answer?.ok ? await answer.json() : { rules: {} };
    for (const bar of bars) bar.value = rules[bar.dataset.compiling]?.done ?? bar.value;
  }
  for (const bar of bars) bar.parentElement.hidden = true;
}

/** Take over sliders and copy buttons. */
export function start() {
  document.addEventListener("input", (event) => {
    if (event.target.closest("[data-amount]")) partner(event.target).value = event.target.value;
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button, document.getElementById(button.dataset.copy));
  });
  document.addEventListener("focusin", (event) => event.target.matches?.("input[readonly]") && event.target.select());
}

async function copy(button, field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // without https there is no clipboard to write to
  }
  button.classList.add("copied");
  setTimeout(() => button.classList.remove("copied"), 1500);
}
