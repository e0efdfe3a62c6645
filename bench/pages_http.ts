/**
 * The console's pages over HTTP, compressed as for browsers: compared with version 0.1.0, in turns,
 * and with a bare `Deno.serve` that answers the same prepared bytes.
 */
import type { Figure } from "./bench.ts";
import { type LoadRequest, requestsPerSecond, send, startServing } from "./load.ts";
import { inPairs } from "./pairs.ts";
import { startSideBySide, TOKEN } from "./released.ts";
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
      const against = await compare(ours(path), theirs(path));
      figures.push({ what: `console, ${what}, against 0.1.0`, ...against, target });
    }
    const bare = await bareServer(PAGES.map(({ path }) => ours(path)));
    try {
      for (const { what, path } of PAGES) {
        const against = await compare(ours(path), { ...ours(path), url: bare.origin + path });
        figures.push({
          what: `console, ${what}, against the same bytes from a bare Deno.serve`,
          ...against,
        });
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

async function compare(ours: LoadRequest, theirs: LoadRequest) {
  const { measured, baseline, ratio } = await inPairs(
    () => requestsPerSecond(ours),
    () => requestsPerSecond(theirs),
  );
  return {
    measured: `${measured.toFixed(0)} requests/s`,
    baseline: `${baseline.toFixed(0)} requests/s`,
    ratio,
  };
}
