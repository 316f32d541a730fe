// Fields: the slider goes with its number, links are copied.

import { onFrame } from "./frames.js";

const partner = (field) =>
  field.closest("[data-amount]").querySelector(field.matches("[data-slider]") ? "[name=amount]" : "[data-slider]");

/** Take over sliders and copy buttons. */
export function start() {
  document.addEventListener("input", (event) => {
    if (!event.target.closest("[data-amount]")) return;
    partner(event.target).value = event.target.value;
    say();
  });
  onFrame(say);
  say();
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button, document.getElementById(button.dataset.copy));
    const sent = event.target.closest("[data-send]");
    if (sent) send(sent);
    const share = event.target.closest("[data-share]");
    if (share) navigator.share({ title: document.title, url: document.getElementById(share.dataset.share).value }).catch(() => {});
  });
  onFrame(offer);
  offer();
  document.addEventListener("focusin", (event) => event.target.matches?.("input[readonly]") && event.target.select());
}

/** Put an action's number into the field that asks for it; the field, if there is such a one. */
export function fill(action) {
  const holder = document.querySelector("[data-amount]");
  const [head, tail] = holder?.dataset.amount.split("{}") ?? [];
  if (head === undefined || !action.startsWith(head) || !action.endsWith(tail)) return null;
  const field = holder.querySelector("input[name=amount]");
  field.value = action.slice(head.length, action.length - tail.length);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return field;
}

/** Put the card of a first game away, for good. */
export function knows() {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-known]");
    if (!form) return;
    event.preventDefault();
    fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { accept: "application/json" } });
    document.getElementById("first").remove();
    document.getElementById("asked").focus({ preventScroll: true });
  });
}

// The button says what it does with the number that stands there.
function say() {
  const holder = document.querySelector("[data-amount][data-doing]");
  const button = holder && document.getElementById("amount-send");
  if (button) button.textContent = holder.dataset.doing.replace("{}", holder.querySelector("[name=amount]").value);
}

// The system's share sheet, which browsers have under https (and on this machine) only.
function offer() {
  for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
}

// A result goes to the system's share sheet, else it is copied. Where another script shows the pages it
// hears of it by the event `send`, and knows the address by which others open the page.
async function send(button) {
  const detail = { url: new URL(button.dataset.sendAt, location.origin).href };
  document.dispatchEvent(new CustomEvent("send", { detail }));
  const text = button.dataset.send;
  if (navigator.share) return navigator.share({ text, url: detail.url }).catch(() => {});
  const told = button.parentElement.querySelector("[data-sent]");
  const field = document.createElement("input");
  field.value = `${text} ${detail.url}`;
  button.after(field);
  await copy(button, field);
  field.remove();
  told.textContent = told.dataset.sent;
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
