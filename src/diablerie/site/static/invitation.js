// What host and guest see of the two texts that make a channel between them.

import { Host, read, Remote } from "./friends.js";
import { base, named } from "./names.js";

const MAIL = named("answers"); // where a window with an answer finds the one that waits for it
const APART = 20000; // milliseconds after which two phones may be in different networks
const HEARD = 1500; // milliseconds in which a waiting window says that it has taken an answer
const LONGEST_NAME = 24; // characters of a name, as at tables
const EXPECTED = ["unreadable", "own", "used"]; // what may be wrong with an answer

/** Links with an offer or an answer: `#offer=…&game=…&by=…` and `#answer=…`. */
export function texts(hash) {
  const [, kind, text] = hash.match(/^#(offer|answer)=(.+)$/s) ?? [];
  return kind ? { [kind]: text } : {};
}

/**
 * A card over the page. said: sentences by name; lasting: whether it has no end but what the page does
 * with it. Gives its parts, by name.
 */
function card(said, title, lines, lasting = false) {
  const dialog = document.createElement("dialog");
  dialog.className = "friends";
  const parts = { dialog };
  const add = (tag, name, text = "", more = {}) => {
    parts[name] = Object.assign(document.createElement(tag), { textContent: text, ...more });
    dialog.append(parts[name]);
  };
  add("h2", "title", title);
  for (const line of lines) add(...line);
  if (lasting) {
    dialog.closedBy = "none";
    dialog.oncancel = (event) => event.preventDefault();
    dialog.onclose = () => dialog.isConnected && dialog.showModal(); // browsers close it all the same
  }
  document.body.append(dialog);
  dialog.showModal();
  return parts;
}

const paragraph = (name, text, more) => ["p", name, text, more];
const button = (name, text, onclick, more = {}) => ["button", name, text, { className: "btn primary", type: "button", onclick, ...more }];
const state = (text) => ["p", "state", text, { className: "small", role: "status" }];

/** A link, and a button that hands it to the system's sharing, or copies it. */
function sends(said, label, link) {
  const field = ["input", "link", "", { readOnly: true, value: link, ariaLabel: label }];
  const copies = async (currentTarget) => {
    const copied = await copy(currentTarget.previousElementSibling);
    currentTarget.textContent = copied ? said.copied : said.marked;
  };
  // AbortError: whoever was asked has thought better of it
  const shares = (pressed) => navigator.share({ url: link }).catch((error) => error.name !== "AbortError" && copies(pressed));
  const send = navigator.share ? shares : copies;
  return [field, button("send", navigator.share ? said.send : said.copy, ({ currentTarget }) => send(currentTarget), { autofocus: true })];
}

/** Copy what a field has; without https there is no clipboard to write to, and the marked text is copied. */
async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

/** After a while without a connection a card says why that may be. */
const doubt = (said, shown) => setTimeout(() => (shown.state.textContent = said.apart), APART);

/** A link; page: what a guest opens, without all that the landing page has. */
const linked = (kind, text, page = "") => `${base.href}${page}#${kind}=${text}`;

// -- the host --------------------------------------------------------------------------------------

/** The host's side: `invite` shows a card for one more guest. */
export class Invitations {
  #said;
  #version;
  #qr;
  #card = null;

  /** said: the sentences; version: of the site; qr: gives a link's code as SVG; hear: see `Host`. */
  constructor({ said, version, stun, qr, hear }) {
    this.#said = said;
    this.#version = version;
    this.#qr = qr;
    this.host = new Host(hear, stun);
    this.host.addEventListener("guest", () => this.#card?.dialog.close());
    this.mail = new BroadcastChannel(MAIL);
    this.mail.onmessage = async ({ data }) => typeof data?.answer === "string" && this.mail.postMessage({ taken: data.answer, as: await this.#accepted(data.answer) });
  }

  /** path: of the page that the guest sees first; game: its name; by: who invites, "" without a name. */
  async invite({ path, game, by }) {
    const said = this.#said;
    const text = await this.host.invite(path, this.#version);
    const link = linked("offer", `${text}&game=${game}${by && `&by=${encodeURIComponent(by)}`}`, `join-${game}.html`);
    this.#card?.dialog.remove();
    this.#card = card(said, said.invitation, [
      paragraph("first", said.first), ["div", "qr", "", { className: "qr-here" }], ...sends(said, said.first, link),
      paragraph("second", said.second),
      ["input", "answer", "", { ariaLabel: said.second, autocomplete: "off", oninput: ({ currentTarget }) => currentTarget.value && this.take(currentTarget.value) }],
      state(said.open),
      button("close", said.close, () => this.#card.dialog.close(), { className: "btn small" }),
    ]);
    this.#card.qr.innerHTML = await this.#qr(link);
  }

  /** Let the guest in whose answer this is, and say on the card what came of it. */
  async take(answer) {
    if (!this.#card) return;
    if (!this.#card.dialog.open) this.#card.dialog.showModal();
    this.#card.state.textContent = this.#said[await this.#accepted(answer)];
  }

  /** Let a guest in; the name of the sentence that says what came of it. */
  async #accepted(answer) {
    try {
      await this.host.accept(answer);
      if (this.#card) doubt(this.#said, this.#card);
      return "connecting";
    } catch (error) {
      if (EXPECTED.includes(error.message)) return error.message;
      console.error(error);
      return "unlinked";
    }
  }
}

/** Another window of the host's: hand the answer to the one that waits. */
export async function handOver(said, answer) {
  const mail = new BroadcastChannel(MAIL);
  const taken = new Promise((known) => {
    mail.onmessage = ({ data }) => data?.taken === answer && known(data.as);
    setTimeout(() => known("nobody"), HEARD);
  });
  mail.postMessage({ answer });
  const as = await taken;
  mail.close();
  const paste = as === "nobody" ? sends(said, said.nobody, linked("answer", answer)) : [];
  card(said, as === "connecting" ? said.handed : said[as] ?? said.unlinked, paste, true);
}

// -- a guest ---------------------------------------------------------------------------------------

/**
 * The guest's side: ask whether to join, then show the answer to an offer. Gives the pages at the other
 * end, and the first of them. titles: of the games, by name; version: of the site; alone: what leaves.
 */
export async function accepted({ said, offer, stun, version, titles, alone }) {
  const leave = button("alone", said.alone, alone, { className: "btn small" });
  const ended = (why, ...more) => (card(said, said[why], [...more, leave], true), new Promise(() => {}));
  const text = read(offer);
  if (!text) return ended("unreadable");
  if (!("RTCPeerConnection" in window)) return ended("unconnected");
  if (text.version !== version) return ended("differs", button("reload", said.reload, renewed));
  const joining = new Promise((join) => {
    const asked = card(said, invited(said, offer, titles), [paragraph("learns", said.learns), button("join", said.join, () => (asked.dialog.remove(), join()), { autofocus: true }), leave], true);
  });
  await joining; // nothing is sent before
  const remote = new Remote();
  try {
    const link = linked("answer", await remote.answer(text, stun));
    const shown = card(said, said.invited, [paragraph("third", said.third), ...sends(said, said.third, link), state(said.awaited)], true);
    doubt(said, shown);
    const path = await remote.welcome;
    shown.dialog.remove();
    return { remote, path };
  } catch (error) {
    console.error(error);
    return ended("unlinked");
  }
}

/** Who invites to which game, as far as a link says so. */
function invited(said, offer, titles) {
  const more = new URLSearchParams(offer.split("&").slice(1).join("&"));
  const game = titles[more.get("game")];
  const by = more.get("by")?.trim().slice(0, LONGEST_NAME);
  if (!game) return said.invited;
  return (by ? said.invites : said.plays).replace("{game}", game).replace("{name}", () => by);
}

/** Load the page anew, once the newest version of the site is there. */
async function renewed() {
  navigator.serviceWorker?.addEventListener("controllerchange", () => location.reload());
  const found = await navigator.serviceWorker?.getRegistration(base.href).catch(console.warn);
  await found?.update().catch(console.warn);
  if (!found?.installing && !found?.waiting) location.reload();
}
