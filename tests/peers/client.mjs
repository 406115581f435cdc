// The official TypeScript client against our server: node client.mjs CALLS.json (stdio COMMAND... | http URL)
//
// Does what client.py does, and prints the same.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The packages lie where the tests installed them, not beside this file.
const require = createRequire(pathToFileURL(process.env.PEERS + "/"));
const load = (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");

const [calls, how, ...where] = process.argv.slice(2);
const client = new Client({ name: "typescript", version: "1.0.0" });
await client.connect(
  how === "stdio"
    ? new StdioClientTransport({ command: where[0], args: where.slice(1) })
    : new StreamableHTTPClientTransport(new URL(where[0])),
);

const text = (result) => result.content.filter((part) => part.type === "text").map((part) => part.text).join("\n");
const got = { results: [], progress: [] };
got.tools = (await client.listTools()).tools.map((tool) => tool.name);
for (const call of JSON.parse(readFileSync(calls, "utf8"))) {
  const result = await client.callTool(call);
  got.results.push({ is_error: result.isError === true, text: text(result) });
}
try {
  await client.callTool({ name: "no_such_tool", arguments: {} });
  got.unknown = "answered";
} catch (error) {
  got.unknown = error.message;
}
const told = ({ progress, total }) => got.progress.push([progress, total]);
got.counted = text(await client.callTool({ name: "count", arguments: { to: 3 } }, undefined, { onprogress: told }));
const stop = new AbortController();
const onprogress = () => stop.abort("enough");
await client
  .callTool({ name: "count", arguments: { to: 600 } }, undefined, { signal: stop.signal, onprogress })
  .catch(() => {});
got.after = text(await client.callTool({ name: "test_simple_text", arguments: {} }));
await client.close();
console.log(JSON.stringify(got));
