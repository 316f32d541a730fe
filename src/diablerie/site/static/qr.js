// QR codes (ISO/IEC 18004): any text in bytes, at the error correction level M, in the smallest size.

// by version, from 1: the bytes of error correction of a block, and the number of blocks
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, ...Array(19).fill(28)];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49];
const QUIET = 3; // modules around the code
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];
const FINDER = [1, 0, 1, 1, 1, 0, 1]; // and four light modules beside it: readers would look there for a corner
const [DARK, LIGHT, FREE] = [1, 0, null];

/** A text as an SVG, black on white in dark mode, too. */
export function qr(text) {
  const modules = encoded(text);
  const size = modules.length + 2 * QUIET;
  const row = (line, y) => line.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" class="qr" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${modules.map(row).join("")}"/></svg>`;
}

/** Rows of modules, 1 if dark. mask: a number below 8; without it that which is read best. */
export function encoded(text, mask = null) {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((_, at) => room(at + 1) >= bytes.length + overhead(at + 1)) + 1;
  if (!version) throw new RangeError("this text is too long for a code");
  const bits = corrected(written(bytes, version), version);
  const made = (one) => placed(bits, version, one);
  if (mask !== null) return made(mask);
  const all = MASKS.map((_, one) => made(one));
  return all.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

// -- bytes -----------------------------------------------------------------------------------------

/** The bytes of text and correction in a code of a version. */
function whole(version) {
  const aligned = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const spots = aligned ? (25 * aligned - 10) * aligned - 55 : 0;
  return Math.floor(((16 * version + 128) * version + 64 - spots - (version >= 7 ? 36 : 0)) / 8);
}

const room = (version) => whole(version) - CORRECTION[version - 1] * BLOCKS[version - 1];

/** Bytes before and after the text: mode, length, end. */
const overhead = (version) => (version < 10 ? 2 : 3);

/** The text with its mode and length, and what fills it up. */
function written(bytes, version) {
  const long = overhead(version) === 3;
  const nibbles = [4, ...(long ? [bytes.length >> 12, (bytes.length >> 8) & 15] : []), (bytes.length >> 4) & 15, bytes.length & 15];
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15);
  nibbles.push(0);
  const found = [];
  for (let at = 0; at < nibbles.length; at += 2) found.push((nibbles[at] << 4) | nibbles[at + 1]);
  for (let pad = 0xec; found.length < room(version); pad ^= 0xec ^ 0x11) found.push(pad);
  return found;
}

/** The bits of all blocks, woven into each other, and of their correction. */
function corrected(bytes, version) {
  const [length, count] = [CORRECTION[version - 1], BLOCKS[version - 1]];
  const short = Math.floor(whole(version) / count) - length;
  const longer = count - (whole(version) % count); // the number of the first block that has a byte more
  const divisor = generator(length);
  const blocks = [];
  for (let k = 0, at = 0; k < count; k += 1) {
    const data = bytes.slice(at, (at += short + (k >= longer ? 1 : 0)));
    blocks.push({ data, rest: remainder(data, divisor) });
  }
  const woven = [];
  for (let at = 0; at <= short; at += 1) for (const { data } of blocks) if (at < data.length) woven.push(data[at]);
  for (let at = 0; at < length; at += 1) for (const { rest } of blocks) woven.push(rest[at]);
  return woven.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >> bit) & 1));
}

/** A product in the field of 256 elements. */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a);
  return product;
}

/** The coefficients of (x - 1)(x - 2)(x - 4)…, without the first, which is 1. */
function generator(degree) {
  const found = [...Array(degree - 1).fill(0), 1];
  for (let k = 0, root = 1; k < degree; k += 1, root = times(root, 2)) {
    for (let at = 0; at < degree; at += 1) found[at] = times(found[at], root) ^ (found[at + 1] ?? 0);
  }
  return found;
}

function remainder(data, divisor) {
  const found = Array(divisor.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ found.shift();
    found.push(0);
    divisor.forEach((one, at) => (found[at] ^= times(one, factor)));
  }
  return found;
}

// -- modules ---------------------------------------------------------------------------------------

/** The code of these bits. */
function placed(bits, version, mask) {
  const size = 4 * version + 17;
  const modules = Array.from({ length: size }, () => Array(size).fill(FREE));
  patterns(modules, version);
  formats(modules, version, mask);
  let next = 0;
  for (const [x, y] of way(size)) {
    if (modules[y][x] !== FREE) continue;
    modules[y][x] = (bits[next] ?? LIGHT) ^ (MASKS[mask](x, y) ? 1 : 0);
    next += 1;
  }
  return modules;
}

/** What every code of a version has. */
function patterns(modules, version) {
  const size = modules.length;
  for (let at = 0; at < size; at += 1) modules[6][at] = modules[at][6] = at % 2 ? LIGHT : DARK;
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(modules, x, y, 4, [0, 1, 3]);
  const at = alignments(version);
  const corner = (k, l) => (k === 0 && l === 0) || (k === 0 && l === at.length - 1) || (k === at.length - 1 && l === 0);
  at.forEach((x, k) => at.forEach((y, l) => corner(k, l) || square(modules, x, y, 2, [0, 2])));
}

/** Squares around a place, to a distance; dark: at these distances. */
function square(modules, x, y, far, dark) {
  for (let dy = -far; dy <= far; dy += 1) {
    for (let dx = -far; dx <= far; dx += 1) {
      const inside = modules[y + dy]?.[x + dx] !== undefined;
      if (inside) modules[y + dy][x + dx] = dark.includes(Math.max(Math.abs(dx), Math.abs(dy))) ? DARK : LIGHT;
    }
  }
}

/** Where small squares have their centres, in both directions. */
function alignments(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const last = 4 * version + 10;
  return [6, ...Array.from({ length: count - 1 }, (_, k) => last - step * (count - 2 - k))];
}

/** Level, mask and version, each with its own correction. */
function formats(modules, version, mask) {
  const size = modules.length;
  const word = ((mask << 10) | divided(mask, 10, 0x537)) ^ 0x5412; // the level M is 0
  const bit = (at) => (word >> at) & 1;
  for (let at = 0; at < 8; at += 1) {
    modules[at < 6 ? at : at + 1][8] = bit(at);
    modules[8][size - 1 - at] = bit(at);
  }
  for (let at = 8; at < 15; at += 1) {
    modules[8][at === 8 ? 7 : 14 - at] = bit(at);
    modules[size - 15 + at][8] = bit(at);
  }
  modules[size - 8][8] = DARK;
  if (version < 7) return;
  const told = (version << 12) | divided(version, 12, 0x1f25);
  for (let at = 0; at < 18; at += 1) {
    const [far, near] = [size - 11 + (at % 3), Math.floor(at / 3)];
    modules[near][far] = modules[far][near] = (told >> at) & 1;
  }
}

/** The remainder of a number by a polynomial of bits. */
function divided(number, degree, polynomial) {
  let rest = number;
  for (let k = 0; k < degree; k += 1) rest = (rest << 1) ^ ((rest >> (degree - 1)) * polynomial);
  return rest;
}

/** The places of modules in the order of bits: two columns at once, up and down, from the right. */
function* way(size) {
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5; // the column of a pattern
    const up = ((right + 1) & 2) === 0;
    for (let k = 0; k < size; k += 1) for (const x of [right, right - 1]) yield [x, up ? size - 1 - k : k];
  }
}

/** How hard a code is to read. */
function penalty(modules) {
  const size = modules.length;
  const columns = modules.map((_, x) => modules.map((row) => row[x]));
  let sum = 0;
  for (const line of [...modules, ...columns]) sum += runs(line) + 40 * corners(line);
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      const four = modules[y][x] + modules[y - 1][x] + modules[y][x - 1] + modules[y - 1][x - 1];
      if (four === 0 || four === 4) sum += 3;
    }
  }
  const dark = modules.flat().reduce((all, one) => all + one, 0);
  return sum + 10 * Math.floor(Math.abs((dark * 20) / size ** 2 - 10));
}

/** Five and more modules of a kind in a row. */
function runs(line) {
  let [sum, length] = [0, 1];
  for (let at = 1; at <= line.length; at += 1) {
    if (line[at] === line[at - 1]) length += 1;
    else {
      if (length >= 5) sum += length - 2;
      length = 1;
    }
  }
  return sum;
}

/** How often a line looks like that of a corner. */
function corners(line) {
  const around = [...Array(4).fill(LIGHT), ...line, ...Array(4).fill(LIGHT)];
  let found = 0;
  for (let at = 4; at + 11 <= around.length; at += 1) {
    if (!FINDER.every((dark, k) => around[at + k] === dark)) continue;
    if (!around.slice(at - 4, at).some(Boolean)) found += 1;
    if (!around.slice(at + 7, at + 11).some(Boolean)) found += 1;
  }
  return found;
}
