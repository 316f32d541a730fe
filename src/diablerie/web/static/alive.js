// Whether the server is heard of: what to do when somebody looks at the page again, and a notice
// while nothing comes. After a sleep or in another network, connections may be dead and not say so.

const SILENT = 20000; // milliseconds without a sign of life; a stream gives one every 15 s
const TICK = 1000;
const LATE = 1000; // without one, once somebody looks again
const SLEPT = 5000; // between two ticks: the machine slept
// For an answer, as often as there may be dead connections to the server; the more, the slower it is.
const HASTE = [200, 200, 300, 400, 700, 1000];
const PATIENCE = 10000; // for any other answer
const LATE_ANSWER = 10000; // after which it is told that an answer does not come, whatever the stream brings
const PROBE = 1500; // for the first answer after a loss

const listeners = new Set();
const waiting = new Set();
const late = new Set(); // answers that are long in coming
const state = { heard: 0, due: Infinity, ticked: Date.now(), hasty: HASTE.length, told: false, answered: false };

/** Begin to watch over the page. */
export function start() {
  document.addEventListener("visibilitychange", () => document.hidden || back());
  addEventListener("online", back);
  addEventListener("pageshow", (event) => event.persisted && back());
  setInterval(tick, TICK);
}

/** Call `listener` when the page is looked at again, and when the server answers after a loss; until what is returned is called. */
export function watch(listener) {
  if (!listeners.size) heard();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Something has come. */
export function heard() {
  Object.assign(state, { heard: Date.now(), due: Date.now() + SILENT, hasty: HASTE.length, answered: false });
  tell(false);
}

/** Milliseconds since something came. */
export const silence = () => Date.now() - state.heard;

/** Say that nothing comes, or no longer. */
export function tell(lost) {
  state.told = lost;
  const notice = document.getElementById("connection");
  if (!notice) return;
  notice.hidden = !lost && !late.size;
  if (!notice.hidden) notice.textContent = lost ? notice.dataset.lost : notice.dataset.late;
}

/** The answer to a request; while it is long in coming the page says so. */
export async function timely(answer) {
  const timer = setTimeout(() => {
    late.add(answer);
    tell(state.told);
  }, LATE_ANSWER);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    late.delete(answer);
    tell(state.told);
  }
}

/** Milliseconds to wait for the next answer, before it is asked for over another connection. */
export const patience = () => HASTE[state.hasty++] ?? PATIENCE;

/** The text that the server answers to a GET, null if there is none. */
export async function get(url, accept) {
  for (let time = patience(); ; time = patience()) {
    const left = new AbortController();
    const over = new Promise((done) => left.signal.addEventListener("abort", done));
    const timer = setTimeout(() => {
      if (time === PATIENCE) tell(true); // though the stream may beat
      left.abort();
    }, time);
    waiting.add(left);
    try {
      const answer = await fetch(url, { headers: { accept }, signal: left.signal });
      const text = await answer.text();
      clearTimeout(timer);
      if (answer.status < 500) heard(); // else a proxy says that the server is away
      return answer.ok ? text : null;
    } catch {
      if (time === PATIENCE) return null;
      await over;
    } finally {
      waiting.delete(left);
    }
  }
}

function back() {
  Object.assign(state, { hasty: 0, answered: true, due: Math.min(state.due, Date.now() + LATE) });
  for (const left of waiting) left.abort();
  for (const listener of listeners) listener();
}

function tick() {
  const slept = Math.abs(Date.now() - state.ticked) > SLEPT; // or the clock was set back
  state.ticked = Date.now();
  if (!listeners.size) return;
  if (slept && !document.hidden) back();
  if (Date.now() > state.due && !state.told) tell(true);
  if (state.told && !(document.hidden && state.answered)) probe();
}

// Nothing says when the server can be reached again: ask, and begin anew when it answers again.
async function probe() {
  const { ok } = await fetch("/healthz", { signal: AbortSignal.timeout(PROBE) }).catch(() => ({}));
  if (ok && state.told && !state.answered) back();
  if (!ok) state.answered = false;
}
