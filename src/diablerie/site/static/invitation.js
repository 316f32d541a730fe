// What host and guest see of the two texts that make a channel between them.

import { Host, Remote } from "./friends.js";

const MAIL = "diablerie.answers"; // where a window with an answer finds the one that waits for it
const APART = 20000; // milliseconds after which two phones may be in different networks
const HEARD = 1500; // milliseconds in which a waiting window says that it has taken an answer

/** Links with an offer or an answer: `#offer=…` and `#answer=…`. */
export function texts(hash) {
  const [, kind, text] = hash.match(/^#(offer|answer)=(.+)$/) ?? [];
  return kind ? { [kind]: text } : {};
}

/** A card over the page. `said`: sentences by name. Gives its parts, by name. */
function card(said, title, ...lines) {
  const dialog = document.createElement("dialog");
  dialog.className = "friends";
  const parts = { dialog };
  const add = (tag, name, text = "", more = {}) => {
    parts[name] = Object.assign(document.createElement(tag), { textContent: text, ...more });
    dialog.append(parts[name]);
  };
  add("h2", "title", said[title]);
  for (const line of lines) add(...line);
  document.body.append(dialog);
  dialog.showModal();
  return parts;
}

/** A button that hands a link to the system's sharing, or copies it. */
function sends(said, link) {
  const shares = Boolean(navigator.share);
  const onclick = async ({ currentTarget }) => {
    if (shares) return navigator.share({ url: link() }).catch(() => {});
    await navigator.clipboard.writeText(link());
    currentTarget.textContent = said.copied;
  };
  return ["button", "send", shares ? said.send : said.copy, { className: "btn primary", type: "button", autofocus: true, onclick }];
}

/** After a while without a connection a card says why that may be. */
const doubt = (said, { state }) => setTimeout(() => (state.textContent = said.apart), APART);

const linked = (base, kind, text) => `${base.href.split("#")[0]}#${kind}=${text}`;

/** The host's side: `invite` shows a card for one more guest. */
export class Invitations {
  #said;
  #base;
  #qr;
  #card = null;

  /** said: the sentences; qr: gives a link's code as SVG; hear: see `Host`. */
  constructor({ said, base, stun, qr, hear }) {
    [this.#said, this.#base, this.#qr] = [said, base, qr];
    this.host = new Host(hear, stun);
    this.host.addEventListener("guest", () => this.#card?.dialog.close());
    this.mail = new BroadcastChannel(MAIL);
    this.mail.onmessage = async ({ data }) => data.answer && this.mail.postMessage({ taken: data.answer, as: await this.#accepted(data.answer) });
  }

  async invite(path) {
    const said = this.#said;
    const text = await this.host.invite(path);
    const link = linked(this.#base, "offer", text);
    const entered = async ({ currentTarget }) => (this.#card.state.textContent = said[await this.#accepted(currentTarget.value)]);
    this.#card?.dialog.remove();
    this.#card = card(said, "invitation",
      ["p", "first", said.first], ["div", "qr", "", { className: "qr-here" }],
      ["input", "link", "", { readOnly: true, value: link, ariaLabel: said.first }], sends(said, () => link),
      ["p", "second", said.second], ["input", "answer", "", { ariaLabel: said.second, autocomplete: "off", oninput: entered }],
      ["p", "state", said.open, { className: "small" }],
      ["button", "close", said.close, { className: "btn small", type: "button", onclick: () => this.#card.dialog.close() }],
    );
    this.#card.state.setAttribute("role", "status");
    this.#card.qr.innerHTML = await this.#qr(link);
  }

  /** Let a guest in; the name of the sentence that says what came of it. */
  async #accepted(answer) {
    try {
      await this.host.accept(answer.split("#answer=").at(-1));
      if (this.#card) doubt(this.#said, this.#card);
      return "connecting";
    } catch ({ message }) {
      return message === "used" ? "used" : "unreadable";
    }
  }
}

/** Another window of the host's: hand the answer to the one that waits. */
export async function handOver(said, answer) {
  const mail = new BroadcastChannel(MAIL);
  const taken = new Promise((known) => {
    mail.onmessage = ({ data }) => data.taken === answer && known(data.as);
    setTimeout(() => known("nobody"), HEARD);
  });
  mail.postMessage({ answer });
  const as = await taken;
  card(said, as === "connecting" ? "handed" : as);
}

/** The guest's side: show the answer to an offer; the pages at the other end, and the first of them. */
export async function accepted(said, base, offer, stun) {
  const remote = new Remote();
  let link = "";
  try {
    link = linked(base, "answer", await remote.answer(offer, stun));
  } catch {
    card(said, "unreadable");
    return new Promise(() => {});
  }
  const shown = card(said, "invited",
    ["p", "third", said.third], ["input", "link", "", { readOnly: true, value: link, ariaLabel: said.third }],
    sends(said, () => link), ["p", "state", said.awaited, { className: "small" }],
  );
  shown.state.setAttribute("role", "status");
  doubt(said, shown);
  const path = await remote.welcome;
  shown.dialog.remove();
  return { remote, path };
}
