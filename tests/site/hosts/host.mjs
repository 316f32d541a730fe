// node host.mjs KIND FOLDER PORT: serve a folder as `serve` or `sirv` does. The packages of package.json
// lie beside this file.
import { createServer } from "node:http";
import handler from "serve-handler";
import sirv from "sirv";

const [kind, folder, port] = process.argv.slice(2);
const files = sirv(folder, { etag: true });
const answer = {
  serve: (request, response) => handler(request, response, { public: folder }),
  sirv: (request, response) => files(request, response, () => response.writeHead(404).end()),
};
createServer(answer[kind]).listen(Number(port), "127.0.0.1");
