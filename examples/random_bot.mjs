// A bot in JavaScript: it joins a table, or opens one of COALS, and decides at random.
//
//     DIABLERIE_TOKEN=… node examples/random_bot.mjs http://localhost:8666 [TABLE]

const [server, table] = process.argv.slice(2);
if (!server || !process.env.DIABLERIE_TOKEN) {
  console.error("usage: DIABLERIE_TOKEN=… node random_bot.mjs http://localhost:8666 [TABLE]");
  process.exit(2);
}
const home = `${server.replace(/\/$/, "")}/api/v1`;
const headers = { authorization: `Bearer ${process.env.DIABLERIE_TOKEN}` };

async function post(path, body) {
  const answer = await fetch(home + path, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, ...(await answer.json()) };
}

async function* lines(path) {
  const answer = await fetch(home + path, { headers });
  if (!answer.ok) throw new Error((await answer.json()).title);
  let rest = "";
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const found = (rest + chunk).split("\n");
    rest = found.pop();
    for (const line of found) if (line) yield JSON.parse(line); // an empty line: still there
  }
}

// A stream begins with the whole table; every change after that is a JSON Patch (RFC 6902) of it.
function changed(seen, change) {
  for (const { op, path, value } of change.patch) {
    const way = path.split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = way.pop();
    const inside = way.slice(1).reduce((part, name) => part[name], seen);
    if (!Array.isArray(inside) || op === "replace") inside[last] = value;
    else inside.splice(last, op === "remove" ? 1 : 0, ...(op === "remove" ? [] : [value]));
    if (op === "remove" && !Array.isArray(inside)) delete inside[last];
  }
  return { ...seen, log: change.log, chat: change.chat };
}

const seat = table
  ? await post(`/tables/${table}/sit`, {})
  : await post("/tables", { game: "coals", plan: ["me", "random"], options: { goal: "400" } });
if (seat.title) throw new Error(seat.title);

let seen;
for await (const line of lines(`/tables/${seat.id}/stream`)) {
  seen = line.type === "change" ? changed(seen, line) : line;
  for (const told of seen.log ?? []) for (const text of told.lines) console.log(text);
  if (seen.problem || seen.status === "over") {
    console.log(seen.problem?.title ?? `over: ${seen.returns}`);
    break;
  }
  if (!seen.legal.length) continue;
  const { do: chosen } = seen.legal[Math.floor(Math.random() * seen.legal.length)];
  const answer = await post(`/tables/${seat.id}/decide`, { ply: seen.ply, do: chosen });
  if (answer.title && answer.status !== 409) throw new Error(answer.title); // 409: too late
}
process.exit(0);
