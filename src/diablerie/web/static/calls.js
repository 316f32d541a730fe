// Being called when it is one's turn: by a notification while a page is open in the background, by
// web push while none is, by a sound and a shake if somebody wants them. All of it is off at first.

import { onFrame } from "./frames.js";
import { keep, kept } from "./kept.js";
import { hear } from "./sounds.js";

const PAGE = "call"; // kept words: what this browser wants
const PUSH = "push";

let mine = false; // whether the page asked for a decision when last heard of

/** Have what makes the page an app, where the browser allows it. */
export function install() {
  if (window.isSecureContext && "serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
}

/** Call for whoever is to decide at the table that the page shows. */
export function start() {
  mine = asked();
  if (mine) looked();
  onFrame(() => {
    const now = asked();
    if (now && !mine) turn();
    mine = now;
  });
  document.addEventListener("visibilitychange", () => document.hidden || looked());
}

const asked = () => Boolean(document.querySelector("[data-region=ask] .prompt.mine"));

function looked() {
  navigator.clearAppBadge?.().catch(() => {});
}

function turn() {
  const { vibration } = document.documentElement.dataset;
  hear("turn");
  if (vibration) navigator.vibrate?.([120, 60, 120]);
  if (!document.hidden) return;
  navigator.setAppBadge?.(1).catch(() => {});
  if (kept(PAGE) && Notification.permission === "granted") notify(document.title);
}

// Some browsers show notifications of service workers only.
async function notify(title) {
  const data = { url: location.pathname };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) return worker.showNotification(title, { tag: "turn", data });
  const shown = new Notification(title, { tag: "turn" });
  shown.onclick = () => window.focus();
}

// -- the settings ----------------------------------------------------------------------------------

/** Make the switches of the settings work. */
export async function settings() {
  const panel = document.getElementById("calls");
  if (!panel) return;
  const can = window.isSecureContext && "Notification" in window;
  panel.querySelector("[data-insecure]").hidden = window.isSecureContext;
  panel.querySelector("[data-can]").hidden = !can;
  document.addEventListener("click", (event) => {
    const knob = event.target.closest("[data-call]");
    if (knob) pressed(panel, knob);
  });
  if (can) await show(panel);
}

async function show(panel) {
  const push = await subscription();
  keep(PUSH, push ? "1" : "");
  const on = { [PAGE]: kept(PAGE) && Notification.permission === "granted", [PUSH]: push };
  for (const knob of panel.querySelectorAll("[data-call]")) knob.setAttribute("aria-checked", String(Boolean(on[knob.dataset.call])));
  const pushes = "PushManager" in window && panel.dataset.pushes;
  panel.querySelector("[data-push]").hidden = !pushes;
  panel.querySelector("[data-denied]").hidden = Notification.permission !== "denied";
}

async function pressed(panel, knob) {
  const on = knob.getAttribute("aria-checked") !== "true";
  const failed = panel.querySelector("[data-failed]");
  failed.hidden = true;
  try {
    if (on && (await Notification.requestPermission()) !== "granted") return await show(panel);
    if (knob.dataset.call === PAGE) keep(PAGE, on ? "1" : "");
    else await (on ? subscribe() : unsubscribe());
  } catch {
    failed.hidden = false;
  }
  return show(panel);
}

async function subscription() {
  const worker = await navigator.serviceWorker?.getRegistration();
  return worker?.pushManager?.getSubscription() ?? null;
}

async function subscribe() {
  const worker = await navigator.serviceWorker.ready;
  const { key } = await (await fetch("/push/key", { headers: { accept: "application/json" } })).json();
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  if (await post("/push", { endpoint, ...keys })) return;
  await made.unsubscribe();
  throw new Error("refused");
}

async function unsubscribe() {
  const made = await subscription();
  if (!made) return;
  await post("/push/withdraw", { endpoint: made.endpoint });
  await made.unsubscribe();
}

async function post(url, fields) {
  const answer = await fetch(url, { method: "POST", body: new URLSearchParams(fields), headers: { accept: "application/json" } });
  return answer.ok;
}
