// Faces at the seats, large, for a moment: of who reacts in the chat, and of who has met with something
// great or terrible. Where sounds are wanted, a devil says now and then what he thinks of it.

import { onFrame } from "./frames.js";
import { slowed } from "./pacing.js";

const LASTING = 2000; // milliseconds that a face is seen
const READ = 5000; // and with a remark
const LOOK = 250; // from one look to the next whether it is seen
const SELDOM = 120000; // milliseconds from one remark to the next

const main = document.querySelector("[data-table]");
const heard = new Set(); // reactions, by id
const said = new Set(); // remarks: none comes twice
let told = parseInt(main?.dataset.have, 10) || 0; // the last ply of which faces were shown
let spoken = -Infinity;

/** Look at every frame who has a face to show. */
export function start() {
  for (const li of reactions()) heard.add(li.id);
  onFrame((frame) => {
    for (const li of reactions().filter(({ id }) => !heard.has(id))) {
      heard.add(li.id);
      face(/seat-(\d)/.exec(li.className)[1], li.querySelector(".avatar use").getAttribute("href"), "");
    }
    for (const line of (frame.regions.faces ?? "").split("\n").filter(Boolean)) {
      const [ply, seat, mood, remark] = line.split("\t");
      if (Number(ply) > told && !frame.past) face(seat, `#head-${mood}`, spoken + SELDOM < performance.now() ? remark : "");
    }
    told = Math.max(told, frame.ply ?? 0);
  });
}

const reactions = () => [...document.querySelectorAll("#chat li[class*=seat-]:has(> .avatar)")];

function face(seat, head, remark) {
  const place = document.querySelector(`[data-region=board] [data-player="${seat}"]`) ?? document.getElementById(`seat-${seat}`);
  if (!place || document.hidden || !place.checkVisibility({ visibilityProperty: true })) return;
  document.querySelector(`.seat-face.seat-${seat}`)?.remove();
  const shown = Object.assign(document.createElement("div"), { className: `seat-face seat-${seat}` });
  shown.setAttribute("aria-hidden", "true"); // the chat and the log tell it
  shown.innerHTML = `<svg class="devil seat-${seat}" viewBox="0 0 180 200"><use href="${head}"/></svg>`;
  const speaks = remark && document.documentElement.dataset.sound && !said.has(remark);
  if (speaks) {
    shown.append(Object.assign(document.createElement("p"), { textContent: remark }));
    said.add(remark);
    spoken = performance.now();
  }
  document.body.append(shown);
  stand(shown, place.getBoundingClientRect());
  linger(shown, slowed(speaks ? READ : LASTING));
}

// The time while a scene covers the board does not count.
function linger(shown, left) {
  if (left <= 0) return shown.remove();
  setTimeout(() => linger(shown, document.querySelector(".stage") ? left : left - LOOK), LOOK);
}

// In the middle of the place, or as near to it as the window allows.
function stand(shown, { left, top, width, height }) {
  const at = (middle, size, room) => Math.max(4, Math.min(middle - size / 2, room - size - 4));
  shown.style.left = `${at(left + width / 2, shown.offsetWidth, document.documentElement.clientWidth)}px`;
  shown.style.top = `${at(top + height / 2, shown.offsetHeight, innerHeight)}px`;
}
