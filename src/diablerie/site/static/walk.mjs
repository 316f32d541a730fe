// node walk.mjs GAME SEATS SEED [LIMIT] [OPTION=VALUE …]
// Prints what `diablerie walk` prints for the same game, seats, seed and options: the rules run as
// WebAssembly, from the files beside this one.
import { readFileSync } from "node:fs";

const here = new URL("./", import.meta.url);
const PAGE = 65536;
const STACK = 131072; // bytes, far more than rules need

/** A game's compiled rules, with memory of their own: its functions take pointers and numbers. */
export function instantiate(bytes, room) {
  const module = new WebAssembly.Module(bytes);
  const data = 1024; // where the module's constants lie
  const end = data + dataSize(module);
  const stack = ceiling(end, 16) + STACK; // it grows down from here
  const pages = Math.ceil((stack + room) / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages });
  const number = (value, mutable = false) =>
    new WebAssembly.Global({ value: "i32", mutable }, value);
  const env = {
    memory,
    __memory_base: number(data),
    __table_base: number(0),
    __stack_pointer: number(stack, true),
    exp: Math.exp,
    log: Math.log,
    pow: Math.pow,
  };
  const { exports } = new WebAssembly.Instance(module, { env });
  exports.__wasm_apply_data_relocs?.();
  return { exports, memory, free: ceiling(stack, 16) };
}

/** The bytes of a module's constants: its section dylink.0 begins with them (see the tool conventions). */
function dataSize(module) {
  const bytes = new Uint8Array(WebAssembly.Module.customSections(module, "dylink.0")[0]);
  let value = 0;
  for (let at = 2, shift = 0; ; at += 1, shift += 7) {
    value |= (bytes[at] & 127) << shift;
    if (bytes[at] < 128) return value;
  }
}

function ceiling(value, step) {
  return Math.ceil(value / step) * step;
}

/** The bytes of the first state: of the default options, changed where others are given. */
function firstState(game, seats, given) {
  const start = game.starts[seats];
  if (!start) throw new Error(`not for ${seats} players`);
  const state = Buffer.from(start.state, "base64");
  for (const [name, value] of Object.entries(given)) {
    const patch = start.options[name]?.[value];
    if (!patch) throw new Error(`this site does not know ${name}=${value}`);
    for (const [at, byte] of patch) state[at] = byte;
  }
  return state;
}

/** Yield the lines of a walk. */
export function* walk(name, seats, seed, limit, given) {
  const game = JSON.parse(readFileSync(new URL("walks.json", here), "utf8"))[name];
  if (!game) throw new Error(`there is no game ${name}`);
  const state = firstState(game, seats, given);
  const width = 8 * Math.max(game.actions, game.outcomes);
  const room = state.length + 2 * width + 256;
  const bytes = readFileSync(new URL(`rules/${name}.wasm`, here));
  const { exports: rules, memory, free } = instantiate(bytes, room);
  const s = free;
  const out = ceiling(s + state.length, 64);
  const p = out + width;
  new Uint8Array(memory.buffer).set(state, s);
  const node = new Int8Array(memory.buffer, s + game.node, 1);
  const options = new BigInt64Array(memory.buffer, out, width / 8);
  const [CHANCE, OVER] = [-1, -2];
  let x = BigInt.asUintN(64, BigInt(seed));
  let who = 0;
  for (let step = 0; ; step += 1) {
    who = rules.actor(s);
    if (who === OVER || step === limit) break;
    const n = who === CHANCE ? rules.chance(s, out, p) : rules.legal(s, who, out);
    x = BigInt.asUintN(64, x * 6364136223846793005n + 1442695040888963407n);
    const k = Number((x >> 33n) % BigInt(n));
    yield `${step} ${who === CHANCE ? "chance" : who} ${game.nodes[node[0]]} ${n} ${k}`;
    rules.apply(s, who, Number(options[k]));
  }
  if (who !== OVER) {
    yield "cut";
    return;
  }
  rules.returns(s, out);
  const returns = new Float64Array(memory.buffer, out, seats);
  yield `end ${[...returns].map((one) => (one + 0).toFixed(6)).join(" ")}`;
}

if (process.argv[1] && import.meta.url.endsWith(process.argv[1].split("/").at(-1))) {
  const [name, seats, seed, ...rest] = process.argv.slice(2);
  const limit = rest.length && !rest[0].includes("=") ? Number(rest.shift()) : -1;
  try {
    const given = Object.fromEntries(rest.map((one) => one.split("=")));
    const lines = [...walk(name, Number(seats), seed, limit, given)];
    process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  } catch (error) {
    console.error(`walk.mjs: ${error.message}`);
    process.exitCode = 2;
  }
}
