/** The baseline of the pages: a bare `Deno.serve` with the same texts, compressed in advance. */
import { gzipSync } from "node:zlib";
import { serveHere } from "./load.ts";

interface Prepared {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
}
const answers = new Map<string, Prepared>();

for (const [path, file, type] of JSON.parse(Deno.args[0]) as [string, string, string][]) {
  const body = gzipSync(await Deno.readFile(file), { level: 1 }) as Uint8Array<ArrayBuffer>;
  const headers = new Headers({ "content-type": type, "content-encoding": "gzip" });
  answers.set(path, { body, headers });
}

serveHere((request) => {
  const answer = answers.get(new URL(request.url).pathname);
  return answer ? new Response(answer.body, answer) : new Response(null, { status: 404 });
});
