/**
 * The API's requests per second compared with version 0.1.0, in turns: the same rows and requests,
 * uncompressed.
 */
import type { Figure } from "./bench.ts";
import { type LoadRequest, send, TOKEN } from "./load.ts";
import { ratesOf } from "./pairs.ts";
import { startSideBySide } from "./released.ts";

/** More queries than either server caches, so that no answer comes from the cache. */
const QUESTIONS = 2400;

const RUNS = 3000;
const SEARCH = "/api/files/v1/filesets/search";
const HISTORY = "/api/content/v1/reportschedules/101/history";
const headers = { "X-SERVICE-Developer-Token": TOKEN };

function search(origin: string, body: unknown, query = ""): LoadRequest {
  return {
    url: origin + SEARCH + query,
    init: {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    },
  };
}

function runs(origin: string, query = ""): LoadRequest {
  return { url: origin + HISTORY + query, init: { headers } };
}

const byName = { fieldSort: [{ field: "name" }] };

const each = <Made>(make: (n: number) => Made) =>
  Array.from({ length: QUESTIONS }, (_, n) => make(n));

/** Batches of a place have a number from 1 to 400. */
const PLACES = ["north", "south", "east", "west", "berlin", "lyon", "porto", "oslo", "boston"];

function like(n: number) {
  const value = [`${PLACES[n % PLACES.length]} ${Math.floor(n / PLACES.length) + 1}`];
  return { ...byName, filters: [{ field: "name", operator: "LIKE", value }] };
}

const CASES: readonly {
  readonly what: string;
  readonly target: Figure["target"];
  requests(origin: string): readonly LoadRequest[] | Promise<readonly LoadRequest[]>;
}[] = [
  {
    what: "a page of 100 file sets by name, each another one",
    target: "≥ 2",
    requests: (origin) => each((n) => search(origin, byName, `?offset=${n % 2000}&limit=100`)),
  },
  {
    what: "a page of file sets by LIKE, each another text, with its total",
    target: "≥ 2",
    requests: (origin) => each((n) => search(origin, like(n))),
  },
  {
    what: "100 runs, each time others",
    target: "≥ 2",
    requests: (origin) => each((n) => runs(origin, `?skip=${n}`)),
  },
  {
    what: "the same page of 100 file sets by name",
    target: "≥ 5",
    requests: (origin) => [search(origin, byName)],
  },
  { what: "the same 100 runs", target: "≥ 5", requests: (origin) => [runs(origin)] },
  {
    what: "the same 100 runs, which the client has (304)",
    target: "≥ 10",
    async requests(origin) {
      const request = runs(origin);
      const etag = (await send(request)).headers.get("etag")!;
      return [{ ...request, init: { headers: { ...headers, "if-none-match": etag } } }];
    },
  },
];

export default async function apiOverHttp(): Promise<Figure[]> {
  const { now, before, stop } = await startSideBySide(
    ...["--file-sets", "100000", "--schedules", "1", "--runs", String(RUNS)],
  );
  try {
    const figures: Figure[] = [];
    for (const { what, target, requests } of CASES) {
      const [ours, theirs] = [await requests(now.origin), await requests(before.origin)];
      figures.push(await ratesOf(`API, ${what}, against 0.1.0`, [ours, theirs], target));
    }
    return figures;
  } finally {
    await stop();
  }
}
