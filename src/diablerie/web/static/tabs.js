// The tabs of this browser share its connections: over HTTP/1.1 there are six to a server, and a stream
// keeps one for itself. So only the tabs that were looked at last have a stream; who looks at another
// one gives it a stream, and the one that was looked at longest ago lets go of its own.

const STREAMS = 4; // two connections are left for what tabs ask for besides

const me = String(Math.random());
const later = new Set(); // tabs that took a stream, or were looked at with one, after this one
const channel = new BroadcastChannel("diablerie streams");

/** Call `listener` when too many tabs took a stream after this one. */
export function watchTabs(listener) {
  channel.onmessage = ({ data: { tab, has } }) => {
    if (has) later.add(tab);
    else later.delete(tab);
    if (later.size >= STREAMS) listener();
  };
}

/** Tell the others that this tab has a stream and is looked at. */
export function claim() {
  later.clear();
  channel.postMessage({ tab: me, has: true });
}

/** Tell the others that it has none any more. */
export const giveUp = () => channel.postMessage({ tab: me, has: false });
