/** Serves the bare app that `bench/markup.ts` builds; prints its address. */
import { serveHere } from "../load.ts";
const built = new URL("./.output/server/index.mjs", import.meta.url).href;
const { fetch } = await import(built);

serveHere((request) => fetch(request));
