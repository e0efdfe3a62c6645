/** The baseline of the pages: a bare `Deno.serve` that answers the same bytes, prepared before. */
interface Prepared {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
}
const answers = new Map<string, Prepared>();

for (const [path, file, type] of JSON.parse(Deno.args[0]) as [string, string, string][]) {
  const headers = new Headers({ "content-type": type });
  answers.set(path, { body: await Deno.readFile(file), headers });
}

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ hostname, port }) => console.log(`http://${hostname}:${port}`),
}, async (request) => {
  const { pathname } = new URL(request.url);
  if (request.body) await request.arrayBuffer();
  const answer = answers.get(pathname);
  return answer ? new Response(answer.body, answer) : new Response(null, { status: 404 });
});
