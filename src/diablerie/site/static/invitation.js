// What host and guest see of inviting: by one link for all where the site has a meeting point, else by two
// texts for each friend.

import { Host, read, Remote } from "./friends.js";
import { Door, entered, newRoom, readLink, Room } from "./meeting.js";
import { base, named } from "./names.js";
import { qr } from "./qr.js";

const MAIL = named("answers"); // where a window with an answer finds the one that waits for it
const APART = 20000; // milliseconds after which two phones may be in different networks
const HEARD = 1500; // milliseconds in which a waiting window, or the folder's host, has to answer
const LONGEST_NAME = 24; // characters of a name, as at tables
const EXPECTED = ["unreadable", "own", "used"]; // what may be wrong with an answer

const EVENING = 12 * 3600 * 1000; // milliseconds that a link lets guests in after somebody has come by it
const APPLE = /Mac|iPhone|iPad/; // devices that ask whether a page may look for others in the network
const UNREACHED = { asking: "calling", unheard: "unheard", apart: "unreached" }; // sentences by what `entered` tells

/** Links with an offer, an answer or a room: `#offer=…&game=…&by=…`, `#answer=…`, `#meet=…&game=…&by=…`. */
export function texts(hash) {
  const [, kind, text] = hash.match(/^#(offer|answer|meet)=(.+)$/s) ?? [];
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
const coded = (link) => ["div", "qr", "", { className: "qr-here", innerHTML: qr(link) }];
const list = () => ["ul", "people", "", { className: "people", ariaLive: "polite" }];
const local = (said) => (APPLE.test(navigator.userAgent) ? [paragraph("local", said.local, { className: "small" })] : []);
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

/** The host's side: `invite` shows a card for all guests, or for one more. */
export class Invitations {
  #said;
  #version;
  #point;
  #kept;
  #welcome;
  #door = null;
  #about = null; // of the door: room, key, path, game, by, until, away
  #card = null;

  /**
   * said: the sentences; version: of the site; point: the address of the meeting point, "" for none; ice:
   * see `Host`; hear: see `Host`; kept: reads (`get`) and keeps (`set`) what a reload must not lose;
   * welcome: gives the page for guests who were invited to an address, null if it is gone.
   */
  constructor({ said, version, point, ice, hear, kept, welcome }) {
    this.#said = said;
    this.#version = version;
    this.#point = point;
    this.#kept = kept;
    this.#welcome = welcome;
    this.host = new Host(hear, ice);
    this.host.addEventListener("guest", () => this.#card?.answer && this.#card.dialog.close());
    this.mail = new BroadcastChannel(MAIL);
    this.mail.onmessage = async ({ data }) => typeof data?.answer === "string" && this.mail.postMessage({ taken: data.answer, as: await this.#accepted(data.answer) });
  }

  /** path: of the page that guests see first; game: its name; by: who invites, "" without a name. */
  async invite(about) {
    const newer = await outdated(this.#version);
    const why = this.#point && (await this.#met(about));
    return why === true ? this.#showAll({ newer }) : this.#showOne(about, why, newer);
  }

  /** After a reload: listen again where guests may come back, if there is such a room. */
  resume() {
    const about = this.#kept.get();
    if (this.#point && crypto.subtle && about?.until > Date.now()) this.#listen(about);
    else this.#kept.set(null);
  }

  /** Nobody comes by a link any more, and nobody is here. */
  close() {
    this.#door?.close();
    this.host.close();
  }

  /** Have the door open for a page; true, or the name of the sentence that says why that cannot be. */
  async #met(about) {
    if (!crypto.subtle) return "insecure";
    const next = { ...(this.#about ?? { ...newRoom(), away: [] }), ...about, until: Date.now() + EVENING };
    const probe = new Room(this.#point, next);
    try {
      await probe.next();
    } catch (error) {
      console.warn(error);
      return "unmet";
    } finally {
      probe.close();
    }
    if (this.#about) Object.assign(this.#about, next);
    else this.#listen(next);
    this.#kept.set(this.#about);
    return true;
  }

  #listen(about) {
    const room = new Room(this.#point, about);
    const away = new Set(about.away);
    const door = new Door({ room, host: this.host, version: this.#version, away, welcome: () => this.#welcomed(door) });
    this.#about = about;
    this.#door = door;
    door.addEventListener("change", () => this.#changed(door));
    door.addEventListener("heard", () => this.#changed(door));
    door.listen().catch(console.error);
  }

  /** The page for a guest who has come by the link, while there is one and the evening lasts. */
  async #welcomed(door) {
    const path = this.#about.until > Date.now() ? await this.#welcome(this.#about.path) : null;
    if (path) Object.assign(this.#about, { path, until: Date.now() + EVENING });
    else door.close();
    this.#kept.set(path && this.#about);
    if (!path) this.#about = null;
    return path;
  }

  /** Another room in the place of this one: who is here learns of it, and nobody else. */
  async #renew() {
    const { path, game, by } = this.#about;
    this.#door.close();
    this.#listen({ ...newRoom(), path, game, by, until: Date.now() + EVENING, away: [] });
    this.#kept.set(this.#about);
    this.host.spread({ link: await this.#text() });
    await this.#showAll({ what: this.#said.renewed });
  }

  async #text() {
    const { room, key } = this.#about;
    return [room, key, await this.host.fingerprint()].join("~");
  }

  /** The card for all. what: its last line; newer: see `old`. */
  async #showAll({ what = this.#said.open, newer = false }) {
    const said = this.#said;
    const { game, by } = this.#about;
    const link = linked("meet", described(await this.#text(), game, by), `join-${game}.html`);
    this.#card?.dialog.remove();
    this.#card = card(said, said.invitation, [
      ...(newer ? old(said) : []),
      paragraph("first", said.everybody), coded(link), ...sends(said, said.everybody, link), list(), state(what), ...local(said),
      button("close", said.close, () => this.#card.dialog.close(), { className: "btn small" }),
      button("renew", said.renew, () => this.#renew(), { className: "btn small quiet" }),
    ]);
    this.#changed(this.#door);
  }

  /** Show who asks and who is here, and keep who was sent away. */
  #changed(door) {
    if (door !== this.#door || !this.#about) return;
    const said = this.#said;
    this.#about.away = [...door.away];
    this.#kept.set(this.#about);
    if (!this.#card?.people) return;
    const rows = door.people().map(({ who, by, here }) => {
      const row = Object.assign(document.createElement("li"), { textContent: (here ? said.present : said.coming).replace("{name}", () => by || said.somebody) });
      if (here) row.append(" ", Object.assign(document.createElement("button"), { className: "btn small", type: "button", textContent: said.away, onclick: () => door.sendAway(who) }));
      return row;
    });
    this.#card.people.replaceChildren(...rows);
    if (!door.reached) this.#card.state.textContent = said.unheard;
    else if (this.#card.state.textContent === said.unheard) this.#card.state.textContent = said.open;
  }

  /** The card for one more guest. why: the name of the sentence that says why there is none for all; newer: see `old`. */
  async #showOne({ path, game, by }, why, newer) {
    const said = this.#said;
    const link = linked("offer", described(await this.host.invite(path, this.#version), game, by), `join-${game}.html`);
    this.#card?.dialog.remove();
    this.#card = card(said, said.invitation, [
      ...(newer ? old(said) : []),
      ...(why ? [paragraph("why", said[why], { className: "notice" })] : []),
      paragraph("first", said.first), coded(link), ...sends(said, said.first, link),
      paragraph("second", said.second),
      ["input", "answer", "", { ariaLabel: said.second, autocomplete: "off", oninput: ({ currentTarget }) => currentTarget.value && this.take(currentTarget.value) }],
      state(said.open), ...local(said),
      button("close", said.close, () => this.#card.dialog.close(), { className: "btn small" }),
    ]);
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

/** What a host is told whose page is older than the one that friends get. */
const old = (said) => [paragraph("newer", said.newer, { className: "notice" }), button("reload", said.reload, renewed, { className: "btn small" })];

/** Whether the folder has another version of the site than this page, as far as that can be known now. */
async function outdated(version) {
  try {
    const found = await fetch(new URL("sw.js", base), { cache: "no-cache", signal: AbortSignal.timeout(HEARD) });
    return found.ok && !(await found.text()).includes(`-${version}";`);
  } catch {
    return false; // without a network
  }
}

/** A text with what people are told before they open it: the game, and who invites. */
const described = (text, game, by) => `${text}&game=${game}${by && `&by=${encodeURIComponent(by)}`}`;

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
export async function accepted({ said, offer, ice, version, titles, alone }) {
  const leave = button("alone", said.alone, alone, { className: "btn small" });
  const ended = (why, ...more) => endedBy(said, why, ...more, leave);
  const text = read(offer);
  if (!text) return ended("unreadable");
  if (!("RTCPeerConnection" in window)) return ended("unconnected");
  if (text.version !== version) return ended("differs", button("reload", said.reload, renewed));
  await joined(said, invited(said, offer, titles), [leave]); // nothing is sent before
  const remote = new Remote();
  try {
    const link = linked("answer", await remote.answer(text, ice));
    const shown = card(said, invited(said, offer, titles), [paragraph("third", said.third), coded(link), ...sends(said, said.third, link), state(said.awaited), ...local(said)], true);
    doubt(said, shown);
    const path = await remote.welcome;
    shown.dialog.remove();
    return { remote, path };
  } catch (error) {
    console.error(error);
    return ended("unlinked");
  }
}

/**
 * The same by a link for all: ask for a name, then wait at the meeting point until the host lets this
 * browser in. link: the text of the link; by: the name that was given last. Gives the name, too.
 */
export async function met({ said, link, point, by, ice, version, titles, alone }) {
  const leave = button("alone", said.alone, alone, { className: "btn small" });
  const about = readLink(link);
  if (!about) return endedBy(said, "unreadable", leave);
  if (!("RTCPeerConnection" in window)) return endedBy(said, "unconnected", leave);
  if (!crypto.subtle || !point) return endedBy(said, "unmeetable", leave);
  const title = invited(said, link, titles);
  const field = ["input", "by", "", { value: by, maxLength: LONGEST_NAME, autocomplete: "nickname", ariaLabel: said.name, placeholder: said.name }];
  const name = await joined(said, title, [leave], [field]); // nothing is sent before
  const shown = card(said, title, [state(said.calling), ...local(said), leave], true);
  const told = (what) => (shown.state.textContent = said[UNREACHED[what]]);
  try {
    const found = await entered({ room: new Room(point, about), fingerprint: about.fingerprint, by: name, version, ice, told });
    shown.dialog.remove();
    return { ...found, by: name };
  } catch (error) {
    shown.dialog.remove();
    return notLetIn(said, error, leave);
  }
}

/** Say for good why a guest is not let in. */
export function notLetIn(said, error, leave) {
  console.warn(error);
  if (error.message === "away") return endedBy(said, "sentAway", leave);
  return endedBy(said, "differs", button("reload", said.reload, renewed), leave);
}

/** A card that leads nowhere but to what its buttons do. */
function endedBy(said, why, ...more) {
  card(said, said[why], more, true);
  return new Promise(() => {});
}

/** Ask whether to join; what was written into the first of the fields, if there are any. */
function joined(said, title, more, fields = []) {
  return new Promise((join) => {
    const pressed = () => (asked.dialog.remove(), join(asked.by?.value.trim() ?? ""));
    const asked = card(said, title, [...fields, paragraph("learns", said.learns), button("join", said.join, pressed, { autofocus: true }), ...more], true);
    // else the same key would press what the next card offers
    if (asked.by) asked.by.onkeydown = (event) => event.key === "Enter" && (event.preventDefault(), pressed());
  });
}

/** Who invites to which game, as far as a link says so. */
function invited(said, text, titles) {
  const more = new URLSearchParams(text.split("&").slice(1).join("&"));
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
