// Morphing: make the children of one element like those of another, keeping what is the same.
// An id is identity; without one, the next element of the same kind will do. `<same id=…>` stands
// for the element of that id as it is. Nodes are moved, never built from text here, so what is
// inside an <svg> keeps its namespace.

/** Make `target`'s children like `source`'s. `source` is used up. */
export function morph(target, source) {
  const known = new Map([...target.querySelectorAll("[id]")].map((el) => [el.id, el]));
  children(target, source, known);
}

function children(target, source, known) {
  const spare = groups(target);
  const pairs = [...source.childNodes].map((wanted) => [partner(wanted, target, spare, known), wanted]);
  const leftover = new Set(target.childNodes);
  let at = target.firstChild;
  for (const [old, wanted] of pairs) {
    const node = old ?? wanted;
    leftover.delete(node);
    if (node === at) at = at.nextSibling;
    else target.insertBefore(node, at);
  }
  for (const [old, wanted] of pairs) if (old) update(old, wanted, known);
  for (const node of leftover) if (node.parentNode === target) node.remove();
}

// The nodes without an id, by kind, in order: what may be used again for another one without.
function groups(target) {
  const found = new Map();
  for (const node of target.childNodes) {
    if (node.id) continue;
    found.set(node.nodeName, [...(found.get(node.nodeName) ?? []), node]);
  }
  return found;
}

function partner(wanted, target, spare, known) {
  if (!wanted.id) return spare.get(wanted.nodeName)?.shift();
  const old = known.get(wanted.id);
  const fits = old && (kept(wanted) || old.nodeName === wanted.nodeName) && !old.contains(target);
  if (fits) known.delete(wanted.id);
  return fits ? old : undefined;
}

const kept = (wanted) => wanted.localName === "same";

function update(old, wanted, known) {
  if (kept(wanted)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== wanted.nodeValue) old.nodeValue = wanted.nodeValue;
    return;
  }
  if (old.isEqualNode(wanted)) return;
  attributes(old, wanted);
  if (wanted.matches(".prompt, .badges")) old.replaceChildren(...wanted.childNodes); // words that take others' place do not shift
  else children(old, wanted, known);
}

function attributes(old, wanted) {
  for (const { name } of [...old.attributes]) {
    const kept = name === "open" && old.nodeName === "DETAILS"; // the reader's choice
    if (!kept && !wanted.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    const kept = name === "open" && old.nodeName === "DETAILS";
    if (!kept && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}
