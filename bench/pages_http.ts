/**
 * The console's pages over HTTP, compressed as for browsers: compared with version 0.1.0, in turns,
 * and with a bare `Deno.serve` that answers the same prepared bytes.
 */
import type { Figure } from "./bench.ts";
import { type LoadRequest, send, startServing, TOKEN } from "./load.ts";
import { ratesOf } from "./pairs.ts";
import { startSideBySide } from "./released.ts";
import { signIn } from "./sign_in.ts";

const PAGES: readonly {
  readonly what: string;
  readonly path: string;
  readonly target: Figure["target"];
}[] = [
  { what: "100 file sets", path: "/filesets", target: "≥ 2" },
  { what: "a failing schedule with its runs", path: "/schedules/102", target: "≥ 3" },
  { what: "recipients that changed", path: "/schedules/104/recipients", target: "≥ 2" },
];

export default async function pagesOverHttp(): Promise<Figure[]> {
  const { now, before, stop } = await startSideBySide();
  try {
    const ours = await visitor(now.origin);
    const theirs = await visitor(before.origin);
    const figures: Figure[] = [];
    for (const { what, path, target } of PAGES) {
      const pair = [ours(path), theirs(path)] as const;
      figures.push(await ratesOf(`console, ${what}, against 0.1.0`, pair, target));
    }
    const bare = await bareServer(PAGES.map(({ path }) => ours(path)));
    try {
      for (const { what, path } of PAGES) {
        const pair = [ours(path), { ...ours(path), url: bare.origin + path }] as const;
        const against = "against the same bytes from a bare Deno.serve";
        figures.push(await ratesOf(`console, ${what}, ${against}`, pair));
      }
    } finally {
      await bare.stop();
    }
    return figures;
  } finally {
    await stop();
  }
}

/** Makes the requests of a signed-in person. */
async function visitor(origin: string): Promise<(path: string) => LoadRequest> {
  const cookie = await signIn(origin, TOKEN);
  const headers = { cookie, accept: "text/html", "accept-encoding": "gzip" };
  return (path) => ({ url: origin + path, init: { headers } });
}

/** Serves the current answers to the requests. */
async function bareServer(requests: readonly LoadRequest[]) {
  const folder = await Deno.makeTempDir();
  const prepared = await Promise.all(requests.map(async (request, at) => {
    const response = await send(request);
    const file = `${folder}/answer-${at}`;
    await Deno.writeFile(file, await response.bytes());
    return [new URL(request.url).pathname, file, response.headers.get("content-type")];
  }));
  const server = await startServing(["bench/bare_server.ts", JSON.stringify(prepared)]);
  return {
    origin: server.origin,
    async stop() {
      await server.stop();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
