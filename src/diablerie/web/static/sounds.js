// Sounds, made here and now: short bursts of noise and tones, no files. None is heard before
// somebody switches them on (`data-sounds`), and each goes with something that is to be seen.

const root = document.documentElement;
const VOLUMES = { quiet: 0.12, loud: 0.8 };
const USUAL = 0.35;
const FADING = 0.03; // seconds, after which a third is left

// Of each sound its layers: noise or a wave, when (s), how long (s), from and to which pitch (Hz),
// how loud, and for noise how narrow its band is.
const SOUNDS = {
  turn: [["triangle", 0, 0.3, 659, 659, 0.35], ["triangle", 0.16, 0.3, 880, 880, 0.35]],
  scrape: [["noise", 0, 0.4, 400, 1500, 0.5, 1.6], ["noise", 0.18, 0.16, 900, 500, 0.4, 3]],
  coal: [["noise", 0, 0.05, 2400, 1600, 0.9, 2], ["noise", 0.05, 0.09, 800, 500, 0.9, 2], ["sine", 0, 0.14, 170, 70, 0.8]],
  snort: [["noise", 0, 0.16, 380, 220, 1, 3], ["noise", 0.2, 0.34, 420, 110, 1, 2.5], ["sawtooth", 0.2, 0.34, 96, 52, 0.5]],
  burn: [["noise", 0, 0.7, 6000, 3200, 0.6, 0.6], ["sawtooth", 0.08, 0.24, 320, 640, 0.25], ["sawtooth", 0.32, 0.3, 560, 200, 0.25]],
  tile: [["noise", 0, 0.04, 2600, 1800, 0.9, 3], ["triangle", 0, 0.08, 330, 190, 0.7]],
  run: [0, 1, 2, 3, 4, 5, 6].map((k) => ["triangle", k * 0.085, 0.09, 240 * 1.17 ** k, 280 * 1.17 ** k, 0.5]),
  bump: [["sine", 0, 0.22, 190, 60, 1], ["noise", 0, 0.06, 700, 400, 0.8, 1.5], ["square", 0.16, 0.14, 150, 95, 0.25]],
  card: [["noise", 0, 0.13, 2600, 5200, 0.6, 0.9], ["noise", 0.13, 0.035, 1500, 1200, 0.9, 2]],
  swap: [["noise", 0, 0.24, 1200, 4200, 0.5, 1.2], ["noise", 0.26, 0.24, 4200, 1200, 0.5, 1.2]],
  hand: [["sawtooth", 0, 0.12, 150, 190, 0.3], ["sawtooth", 0.16, 0.12, 190, 150, 0.3], ["sawtooth", 0.32, 0.26, 150, 88, 0.35]],
  gate: [["sawtooth", 0, 0.5, 74, 118, 0.25], ["noise", 0.5, 0.07, 500, 200, 1, 1.2], ["triangle", 0.58, 0.4, 520, 780, 0.4]],
  heart: [["sine", 0, 0.13, 64, 40, 1], ["sine", 0.19, 0.13, 54, 36, 0.7]],
  dice: [0, 0.08, 0.15, 0.27, 0.36].map((at, k) => ["noise", at, 0.035, 2900 - 260 * k, 2000 - 200 * k, 1 - 0.12 * k, 4]),
  coin: [["triangle", 0, 0.16, 1760, 1740, 0.3], ["triangle", 0.05, 0.2, 2217, 2200, 0.25], ["noise", 0, 0.02, 5200, 3000, 0.5, 3]],
  cock: [["sawtooth", 0, 0.12, 520, 720, 0.3], ["sawtooth", 0.15, 0.1, 700, 620, 0.3], ["sawtooth", 0.28, 0.12, 640, 860, 0.3], ["sawtooth", 0.42, 0.6, 860, 420, 0.35]],
  press: [["square", 0, 0.05, 120, 80, 0.5], ["noise", 0, 0.03, 1900, 1200, 0.8, 2]],
  jump: [["sawtooth", 0, 0.34, 90, 520, 0.4], ["noise", 0.02, 0.4, 500, 2600, 0.8, 1], ["noise", 0.34, 0.26, 420, 130, 1, 2.4]],
  milk: [["sine", 0, 0.12, 300, 760, 0.7], ["sine", 0.15, 0.12, 270, 680, 0.7], ["sine", 0.3, 0.16, 240, 600, 0.7], ["square", 0.56, 0.34, 240, 90, 0.25]],
  lid: [["triangle", 0, 0.5, 1240, 1236, 0.3], ["triangle", 0, 0.34, 1893, 1888, 0.2], ["sine", 0, 0.26, 2630, 2620, 0.2], ["noise", 0, 0.03, 3000, 2000, 0.7, 2]],
};

// Music is a melody with its bass: when (s), how long (s), pitch (Hz). A fanfare, crooked on its way,
// for who has won; for who has lost a trombone that goes down the stairs.
const FANFARE = [[0, 0.13, 392], [0.15, 0.13, 392], [0.3, 0.13, 392], [0.45, 0.4, 523], [0.9, 0.2, 466], [1.1, 0.2, 554], [1.35, 1.2, 659], [1.35, 1.2, 784]];
const STAIRS = [[0, 0.36, 311], [0.42, 0.36, 294], [0.84, 0.36, 277], [1.26, 1.2, 262]];
SOUNDS.win = FANFARE.flatMap(([at, long, pitch]) => [["square", at, long, pitch, pitch, 0.16], ["triangle", at, long, pitch / 2, pitch / 2, 0.4]]);
SOUNDS.lose = STAIRS.flatMap(([at, long, pitch]) => [["sawtooth", at, long, pitch, pitch * 0.94, 0.22], ["triangle", at, long, pitch / 2, pitch * 0.47, 0.4]]);

// By how much each sound is raised or lowered so that all are about as loud, measured in the loudest
// fifth of a second (tests/browser/test_loudness.py). The music at the end is louder, the heart softer.
const EVEN = {
  turn: 1.3, scrape: 6.4, snort: 1.3, burn: 0.74, tile: 1.3, bump: 0.58, card: 2.2, swap: 2.2,
  hand: 1.9, gate: 1.4, heart: 0.49, dice: 3.0, coin: 1.4, cock: 1.3, press: 1.5, jump: 1.5,
  milk: 0.74, win: 0.64,
};

let air = null;
const waiting = new Set(); // what was asked for while nothing can be heard

/** Make the switch work. */
export function start() {
  document.addEventListener("click", (event) => {
    const knob = event.target.closest("[data-sounds]");
    if (!knob) return;
    event.preventDefault();
    turn(knob);
  });
}

/** Let a sound be heard, after so many milliseconds, if sounds are wanted here: what `fade` takes, or null. */
export function hear(name, delay = 0) {
  if (!root.dataset.sound || !SOUNDS[name]) return null;
  air ??= new AudioContext();
  if (air.state === "suspended") air.resume();
  const loud = new GainNode(air, { gain: (VOLUMES[root.dataset.volume] ?? USUAL) * (EVEN[name] ?? 1) });
  loud.connect(air.destination);
  if (air.state !== "running") waiting.add(loud);
  for (const layer of SOUNDS[name]) sound(loud, air.currentTime + delay / 1000, layer);
  return loud;
}

/** Let a sound die away whose picture is gone, also where it is still to begin. */
export function fade(loud) {
  loud?.gain.setTargetAtTime(0, air.currentTime, FADING);
}

/** Forget what could not be heard so far: else all of it is, at once, when the browser allows sounds again. */
export function hush() {
  if (air?.state !== "running") for (const loud of waiting) loud.disconnect();
  waiting.clear();
}

function sound(loud, begin, [kind, at, length, from, to, gain, band]) {
  const time = begin + at;
  const shape = new GainNode(air, { gain: 0 });
  shape.gain.setValueAtTime(0, time);
  shape.gain.linearRampToValueAtTime(gain, time + Math.min(0.012, length / 4));
  shape.gain.exponentialRampToValueAtTime(0.001, time + length);
  const source = kind === "noise" ? hiss() : new OscillatorNode(air, { type: kind });
  const filter = kind === "noise" ? new BiquadFilterNode(air, { type: "bandpass", Q: band }) : null;
  const pitch = (filter ?? source).frequency;
  pitch.setValueAtTime(from, time);
  pitch.exponentialRampToValueAtTime(to, time + length);
  (filter ? source.connect(filter) : source).connect(shape).connect(loud);
  source.start(time);
  source.stop(time + length);
}

let noise = null;

function hiss() {
  if (!noise) {
    noise = new AudioBuffer({ length: air.sampleRate, sampleRate: air.sampleRate });
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i += 1) samples[i] = 2 * Math.random() - 1;
  }
  return new AudioBufferSourceNode(air, { buffer: noise, loop: true });
}

// What was switched is kept as the page of settings keeps it.
function turn(knob) {
  const on = !root.dataset.sound;
  if (on) root.dataset.sound = "on";
  else delete root.dataset.sound;
  knob.setAttribute("aria-checked", String(on));
  hear("tile");
  const body = new URLSearchParams({ sound: on ? "on" : "" });
  fetch("/sound", { method: "POST", body, headers: { accept: "application/json" } }).catch(() => {});
}
