/** Serves the bare app that `bench/pages_render.ts` builds; prints its address. */
const built = new URL("./.output/server/index.mjs", import.meta.url).href;
const { fetch } = await import(built);

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ hostname, port }) => console.log(`http://${hostname}:${port}`),
}, (request) => fetch(request));
